"""Every key of the file with its type, its limits, its default and what it does: the one place that knows them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema, model_validator
from pydantic.json_schema import SkipJsonSchema

from classifier import CATEGORIES

_MOST_IN_A_LIST = 200
_LONGEST_LABEL = 50
"""Characters of a label's name, which is GitHub's own limit."""

_LONGEST_CATEGORY = max(map(len, CATEGORIES))


def _known_category(key: str) -> str:
    if key not in CATEGORIES:
        raise ValueError("not a category")
    return key


LabelName = Annotated[str, Field(min_length=1, max_length=_LONGEST_LABEL, examples=["module: memory usage"])]
Login = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\[bot\])?$", examples=["octocat", "dependabot[bot]"])
]
CategoryKey = Annotated[
    str, AfterValidator(_known_category), WithJsonSchema({"type": "string", "enum": list(CATEGORIES)})
]
RepositoryName = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,99}/[A-Za-z0-9._-]{1,100}$", examples=["acme/reports"])
]
Domain = Annotated[str, Field(min_length=1, max_length=60, examples=["Computer Vision"])]
Labels = Annotated[tuple[LabelName, ...], Field(max_length=_MOST_IN_A_LIST)]
Logins = Annotated[tuple[Login, ...], Field(max_length=_MOST_IN_A_LIST)]
IssueTypes = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=100, examples=["Question"])], ...],
    Field(max_length=_MOST_IN_A_LIST),
]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class LabelOptions(_Part):
    """Labels: the App's own, and what the repository's own ones say."""

    prefix: Annotated[
        str,
        Field(
            min_length=1,
            max_length=_LONGEST_LABEL - _LONGEST_CATEGORY,
            pattern=r"^\S(.*\S)?$",
            examples=["root-cause/"],
            description="How the App's own labels begin; labels that begin otherwise are never added or removed.",
        ),
    ] = "root-cause/"
    map: Annotated[
        dict[LabelName, CategoryKey],
        Field(
            description="Labels of the repository's own that decide an issue's category, such as "
            "`module: memory usage`: `memory-leak`.",
        ),
    ] = {}


class InboxOptions(_Part):
    """The inbox issue."""

    sample: Annotated[
        int, Field(ge=1, le=50, description="How many closed issues a week are drawn at random to be asked about.")
    ] = 10
    labels: Annotated[
        Labels,
        Field(
            max_length=10,
            description="Labels of the repository that the inbox issue gets when it is made, such as one that keeps "
            "stale bots away.",
        ),
    ] = ()


class ReportOptions(_Part):
    """The monthly report."""

    model_config = ConfigDict(
        json_schema_extra={
            "if": {"properties": {"style": {"const": "central"}}, "required": ["style"]},
            "then": {"required": ["repository"]},
        }
    )

    enabled: Annotated[bool, Field(description="Whether a report is posted every month.")] = True
    style: Annotated[
        Literal["issue", "update-one", "central"],
        Field(
            description="A new issue every month, one issue that is rewritten, or an issue in the repository that "
            "`repository` names."
        ),
    ] = "issue"
    repository: Annotated[
        RepositoryName | SkipJsonSchema[None],
        Field(
            description="Where reports of the style `central` are posted; the App must be installed there.",
        ),
    ] = None
    day: Annotated[int, Field(ge=1, le=28, description="The day of the month on which the last month is reported.")] = 1
    assignees: Annotated[Logins, Field(max_length=10, description="People whom the report is assigned to.")] = ()
    close_previous: Annotated[
        bool, Field(description="Whether the report of the month before is closed when the next one is posted.")
    ] = True
    pin: Annotated[bool, Field(description="Pin the report, where fewer than three other issues are pinned.")] = False

    @model_validator(mode="after")
    def _central_somewhere(self) -> Self:
        if self.style == "central" and self.repository is None:
            raise ValueError("`style: central` needs to be told where: add `repository: owner/name` beside it")
        return self


class EligibilityOptions(_Part):
    """Which closed issues are counted and asked about."""

    min_comments: Annotated[int, Field(ge=0, le=100, description="Comments by people that an issue needs.")] = 3
    min_words: Annotated[int, Field(ge=0, le=1000, description="Words of title and description it needs.")] = 8
    question_labels: Annotated[Labels, Field(description="More labels that mark questions.")] = ()
    question_types: Annotated[IssueTypes, Field(description="More issue types that mark questions.")] = ()
    enhancement_labels: Annotated[Labels, Field(description="More labels that mark requests and enhancements.")] = ()
    enhancement_types: Annotated[IssueTypes, Field(description="More issue types that mark requests.")] = ()
    duplicate_labels: Annotated[Labels, Field(description="More labels that mark duplicates.")] = ()
    inactive_labels: Annotated[Labels, Field(description="More labels that mark closings for inactivity.")] = ()
    inactive_bots: Annotated[
        Logins, Field(description="Accounts that close issues for inactivity and for nothing else.")
    ] = ()
    bots: Annotated[
        Logins, Field(description="Accounts that GitHub takes for people and that are none: they never count.")
    ] = ()


class ExcludeOptions(_Part):
    """Issues that are left out altogether."""

    labels: Annotated[Labels, Field(description="Issues with one of these labels.")] = ()
    authors: Annotated[Logins, Field(description="Issues that these accounts opened.")] = ()


class Configuration(_Part):
    """Settings of the Rootcause App for one repository, or, in an owner's `.github` repository, for all of them."""

    paradigm: Annotated[
        Literal["ml", "traditional"] | SkipJsonSchema[None],
        Field(description="Which group the framework belongs to; the 20 of the study are known."),
    ] = None
    domain: Annotated[Domain | SkipJsonSchema[None], Field(description="What the framework is for, in words.")] = None
    share: Annotated[
        Literal["group", "named", "off"],
        Field(
            description="How its numbers enter others' reports: counted without a name, by name and with a public "
            "page, or not at all."
        ),
    ] = "group"
    mode: Annotated[
        Literal["active", "observe"] | SkipJsonSchema[None],
        Field(
            description="Write at once, or gather without ever writing. Without it the App observes for its first "
            "days and then writes."
        ),
    ] = None
    propose: Annotated[
        Literal["inbox", "label", "comment", "off"],
        Field(
            description="Where proposals are shown: in the inbox alone, besides as one label or in one comment on the "
            "closed issue, or nowhere."
        ),
    ] = "inbox"
    threshold: Annotated[
        Annotated[float, Field(ge=0, le=1)] | Literal["auto"],
        Field(description="The probability from which a category is proposed; `auto` is the model's own."),
    ] = "auto"
    labels: Annotated[LabelOptions, Field(description="Labels.")] = LabelOptions()
    inbox: Annotated[InboxOptions, Field(description="The inbox issue.")] = InboxOptions()
    report: Annotated[ReportOptions, Field(description="The monthly report.")] = ReportOptions()
    eligibility: Annotated[EligibilityOptions, Field(description="Which closed issues count.")] = EligibilityOptions()
    exclude: Annotated[ExcludeOptions, Field(description="Issues that are left out.")] = ExcludeOptions()

    @property
    def own_threshold(self) -> float | None:
        """The threshold of this repository, None where the model's own counts."""
        return None if self.threshold == "auto" else self.threshold

    def document(self) -> dict[str, Any]:
        """Return the keys that were given, as plain JSON."""
        given: dict[str, Any] = self.model_dump(mode="json", exclude_unset=True)
        return given

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Configuration:
        """Return the configuration of a document, the rest being the defaults; raises pydantic's `ValidationError`."""
        return cls.model_validate_json(json.dumps(document))


DEFAULTS = Configuration()
"""What holds where there is no file."""
