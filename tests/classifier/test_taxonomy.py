import pytest

from classifier.taxonomy import (
    BUG_TYPES,
    CATEGORIES,
    NONE_KINDS,
    TAXONOMY,
    category,
    resolve,
    resolve_bug_type,
    resolve_none_kind,
)


def test_categories_stand_in_the_codebooks_order_with_none_last() -> None:
    assert CATEGORIES == (
        "api-mismatch",
        "compilation-error",
        "configuration-error",
        "connection-error",
        "data-race",
        "execution-error",
        "hardware-mismatch",
        "memory-allocation",
        "io-slowdown",
        "memory-leak",
        "conversion",
        "multi-threading",
        "performance-regression",
        "slow-synchronization",
        "resource-usage",
        "none",
    )


def test_every_category_has_a_title_and_a_definition() -> None:
    assert all(entry.title and len(entry.definition.split()) >= 5 for entry in TAXONOMY)
    assert category("memory-leak").title == "ML"
    with pytest.raises(KeyError):
        category("ML")


@pytest.mark.parametrize(
    ("word", "key"),
    [
        ("memory-leak", "memory-leak"),
        ("ML", "memory-leak"),
        ("Leak", "memory-leak"),
        ("memory leak", "memory-leak"),
        ("MEMORY_LEAK", "memory-leak"),
        ("memory-l", "memory-leak"),
        ("I/O", "io-slowdown"),
        ("io", "io-slowdown"),
        ("MA", "memory-allocation"),
        ("ha", "hardware-mismatch"),
        ("hard", "hardware-mismatch"),
        ("Compl", "compilation-error"),
        ("build", "compilation-error"),
        ("conf", "configuration-error"),
        ("conn", "connection-error"),
        ("conv", "conversion"),
        ("deadlock", "multi-threading"),
        ("multi", "multi-threading"),
        ("PR", "performance-regression"),
        ("SYNC", "slow-synchronization"),
        ("slow", "slow-synchronization"),
        ("res", "resource-usage"),
        ("exe", "execution-error"),
        ("data", "data-race"),
        ("api", "api-mismatch"),
        ("none", "none"),
        ("not-system", "none"),
        (" network ", "connection-error"),
    ],
)
def test_a_word_finds_its_category(word: str, key: str) -> None:
    assert resolve(word).key == key
    assert resolve(word).nearest == ()


@pytest.mark.parametrize("name", [name for entry in TAXONOMY for name in (entry.key, *entry.aliases)])
def test_every_key_and_alias_is_understood_in_any_case(name: str) -> None:
    assert resolve(name.upper()).key == resolve(name).key is not None


@pytest.mark.parametrize(
    ("word", "nearest"),
    [
        ("mem", {"memory-allocation", "memory-leak"}),
        ("memory", {"memory-allocation", "memory-leak"}),
        ("con", {"configuration-error", "connection-error", "conversion"}),
    ],
)
def test_a_prefix_of_several_categories_names_them(word: str, nearest: set[str]) -> None:
    assert resolve(word).key is None
    assert set(resolve(word).nearest) == nearest


@pytest.mark.parametrize(
    ("word", "nearest"), [("memry-leak", "memory-leak"), ("deadlok", "multi-threading"), ("converson", "conversion")]
)
def test_a_slip_of_the_pen_is_answered_with_the_nearest_key(word: str, nearest: str) -> None:
    assert resolve(word).key is None
    assert resolve(word).nearest[0] == nearest


@pytest.mark.parametrize("word", ["", "-", "xy", "zzzzqqqq", "🙂", "\ud800", "a" * 100_000])
def test_nothing_near_is_answered_with_nothing(word: str) -> None:
    assert resolve(word).key is None


def test_two_letters_are_no_prefix() -> None:
    assert resolve("ex").key is None


def test_kinds_of_none_and_bug_types_follow_the_same_rules() -> None:
    assert [resolve_none_kind(kind[:4].upper()).key for kind in NONE_KINDS] == list(NONE_KINDS)
    assert [entry.key for entry in BUG_TYPES] == ["algorithm-design", "deployment", "memory", "other"]
    assert resolve_bug_type("Algorithm design").key == "algorithm-design"
    assert resolve_bug_type("deploy").key == "deployment"
    assert resolve_bug_type("memroy").nearest == ("memory",)
