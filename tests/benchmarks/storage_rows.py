"""Many records and deliveries with all that belongs to them, made in the database itself within minutes.

Of each issue: a span, a prediction, a text of 1,440 bytes (the mean over the study's closed issues, packed), a fix with
three files for eight in eleven, four people who took part, and a decision for two in seven. The repository in which the
bot works has a fiftieth of all; the others share the rest. Closings are spread over two years, deliveries over 15
days, a day more than they are kept; one in a hundred waits, one in a thousand failed.
"""

from __future__ import annotations

from string import Template

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

TEXT_BYTES = 1_440
REPOSITORIES = 1_000
_OWN = 50
"""One issue in so many is of the repository in which the bot works."""

_PAYLOAD = (
    '{"action":"closed","sender":{"id":5,"login":"somebody","type":"User"},"repository":{"id":65600975,"full_name":'
    '"pytorch/pytorch","html_url":"https://github.com/pytorch/pytorch","private":false,"archived":false,"fork":false,'
    '"updated_at":"2027-03-01T00:00:00Z"},"installation":{"id":50000001},"issue":{"user":{"id":5,"login":"somebody",'
    '"type":"User"},"id":2000000001,"number":1,"state":"closed","updated_at":"2027-03-01T00:00:00Z"}}'
)
_PARTS = {
    "place": f"CASE WHEN i % {_OWN} = 0 THEN :repository ELSE 1 + i % {REPOSITORIES} END",
    "issues": "FROM generate_series(1, CAST(:size AS bigint)) AS i",
    "closed": "now() - make_interval(secs => 63072000.0 * i / :size)",
    "repositories": str(REPOSITORIES),
    "times": str(TEXT_BYTES // 16),
}

_STATEMENTS = (
    """INSERT INTO installation (id, account_id, account_login, state, created_at)
       SELECT i, i, 'owner-' || i, 'active', now() FROM generate_series(1, 200) AS i""",
    """INSERT INTO repository (id, installation_id, full_name, private, archived, fork, state, paradigm, in_comparison,
                                share, inbox_closed, created_at, updated_at)
        SELECT i, 1 + i % 200, 'owner-' || 1 + i % 200 || '/place-' || i, false, false, false, 'active',
               CASE WHEN i % 2 = 0 THEN 'ml' ELSE 'traditional' END, i <= 200, 'named', false,
               now(), now()
        FROM generate_series(1, $repositories) AS i""",
    """INSERT INTO person (id, login, kind, updated_at, read_at)
       SELECT 1000 + i, 'person-' || i, 'human', now(), now()
       FROM generate_series(1, CAST(:size AS bigint) / 5) AS i""",
    """INSERT INTO record (issue_id, repository_id, number, title, html_url, created_at, created_at_estimated,
            closed_at, is_open, locked, reopened, state_reason, state, eligible_system, eligible_bug, backfilled,
            blind, category, category_source, selection, selection_probability, asked_at, decided_at, bug_type,
            open_days, issue_comments, issue_participants, changed_lines, changed_files, description_words, fix_kind,
            fix_link, languages, gathered_at)
        SELECT i, $place, 1000000 + i, 'Memory grows with every batch until the process is killed, number ' || i,
            'https://github.com/somebody/something/issues/' || i, $closed - interval '20 days', false, $closed, false,
            false, 0, 'completed', CASE WHEN i % 7 < 2 THEN 'confirmed' ELSE 'proposed' END, i % 13 < 10, i % 3 = 0,
            false, false, CASE WHEN i % 7 < 2 THEN 'memory-leak' END, CASE WHEN i % 7 < 2 THEN 'decision' END,
            CASE WHEN i % 7 < 3 THEN 'random' END, CASE WHEN i % 7 < 3 THEN 0.5 END,
            CASE WHEN i % 7 < 3 THEN $closed END, CASE WHEN i % 7 < 2 THEN $closed END, 'memory', 20.0, 5, 4, 40, 3,
            120, 'pull_request', 'closed_by', '{Python,C++}', $closed $issues""",
    """INSERT INTO span (issue_id, position, opened_at, closed_at, closed_by_id, state_reason)
        SELECT i, 0, $closed - interval '20 days', $closed, 1000 + i % (:size / 5) + 1, 'completed' $issues""",
    """INSERT INTO proposal (issue_id, model, category, probability, second, second_probability, system_related,
            proposed, facts, words, probabilities, created_at)
        SELECT i, 'learned-1', 'memory-leak', 0.6, 'resource-usage', 0.2, 0.9, true, '{}', '{leak,memory,grows}',
            CAST(:probabilities AS jsonb), $closed $issues""",
    """INSERT INTO evidence (issue_id, repository_id, text, gathered_at)
        SELECT i, $place, decode(repeat(md5(i::text), $times), 'hex'), now() $issues""",
    """INSERT INTO fix (issue_id, kind, link, repository, number, landed, merged_at, additions, deletions,
            changed_files, files_truncated)
        SELECT i, 'pull_request', 'closed_by', 'somebody/something', i, true, $closed, 30, 10, 3, false $issues
        WHERE i % 11 < 8""",
    """INSERT INTO fix_file (issue_id, path, additions, deletions)
        SELECT i, 'package/part/module-' || file || '.py', 10, 3 $issues, generate_series(1, 3) AS file
        WHERE i % 11 < 8""",
    """INSERT INTO participation (issue_id, person_id, role, member)
        SELECT i, 1001 + (i * 7 + part) % (:size / 5),
               (ARRAY['author', 'commenter', 'commenter', 'fix_author'])[part], part % 2 = 0
        $issues, generate_series(1, 4) AS part""",
    """INSERT INTO decision (issue_id, repository_id, person_id, category, via, blind, maintains, source, decided_at)
        SELECT i, $place, 1001 + i % (:size / 5), 'memory-leak', 'comment', false, false, 'comment:made:0:' || i,
               $closed $issues WHERE i % 7 < 2""",
    """INSERT INTO command (delivery, position, repository_id, number, comment_id, written_in, person_id, maintains,
            text, state, created_at, done_at)
        SELECT 'made-' || i, 0, $place, 1000000 + i, i, 1000000 + i, 1001 + i % (:size / 5), false, 'confirm', 'done',
            $closed, $closed $issues WHERE i % 7 < 1""",
    """INSERT INTO written (repository_id, marker, kind, github_id, number, created_at)
        SELECT $place, '<!-- rootcause:made ' || i || ' -->', 'comment', i, 1000000 + i, now() $issues
        WHERE i % 11 = 0""",
    """INSERT INTO awaited_link (issue_id, repository_id, number, due_at)
        SELECT i, 1 + i % $repositories, 1000000 + i, now() + interval '1 day' $issues
        WHERE i % 100 = 1""",
    """INSERT INTO shown (issue_id, repository_id, number, mode, prefix, due, label, label_changes)
        SELECT i, $place, 1000000 + i, 'label', 'cause: ', false, 'memory-leak', 1 $issues WHERE i % 11 = 3""",
    """INSERT INTO issue_writes (repository_id, number, recent)
        SELECT 1 + i % $repositories, 1000000 + i,
               jsonb_build_array(jsonb_build_object('at', now(), 'who', '', 'said', '', 'occasion', '', 'loud', false))
        $issues WHERE i % 1000 = 0""",
    """INSERT INTO delivery (guid, unit, event, action, installation_id, repository_id, number, sender_id, payload,
            state, attempts, received_at, not_before, done_at)
        SELECT gen_random_uuid()::text, 'issue:' || $place || ':' || 1000000 + i, 'issues', 'closed', 1 + i % 200,
            $place, 1000000 + i, 5, :payload,
            CASE WHEN i % 100 = 0 THEN 'waiting' WHEN i % 1000 = 1 THEN 'failed' ELSE 'done' END, 0,
            now() - interval '15 days' + make_interval(secs => 1296000.0 * i / :size),
            CASE WHEN i % 100 = 0 THEN now() + interval '1 hour' ELSE now() - interval '1 hour' END, now() $issues""",
    """INSERT INTO procrastinate_jobs (queue_name, task_name, priority, lock, args, scheduled_at)
        SELECT 'live', 'process', 0, 'issue:' || $place || ':' || 1000000 + i,
            jsonb_build_object('unit', 'issue:' || $place || ':' || 1000000 + i), now() + interval '1 hour' $issues
        WHERE i % 100 = 0""",
    """INSERT INTO procrastinate_jobs (queue_name, task_name, priority, lock, args, status)
        SELECT 'live', 'process', 0, 'issue:1:' || i, '{}', 'failed' $issues WHERE i % 1000 = 0""",
)


async def fill(engine: AsyncEngine, size: int, repository_id: int) -> None:
    """Make so many records and as many deliveries; the bot works in `repository_id`. The planner's facts are new."""
    likely = {f"a-category-{number}": 0.0625 for number in range(16)}
    given = {
        "size": size,
        "repository": repository_id,
        "payload": _PAYLOAD,
        "probabilities": str(likely).replace("'", '"'),
    }
    async with engine.connect() as connection:
        await connection.execution_options(isolation_level="AUTOCOMMIT")
        for setting in ("max_wal_size = '256MB'", "fsync = off"):
            await connection.execute(text(f"ALTER SYSTEM SET {setting}"))
        await connection.execute(text("SELECT pg_reload_conf()"))
        for one in _STATEMENTS:
            statement = text(Template(one).substitute(_PARTS))
            await connection.execute(statement, {name: given[name] for name in statement.compile().params})
        await connection.execute(text("VACUUM ANALYZE"))
        await connection.execute(text("ALTER SYSTEM RESET fsync"))
        await connection.execute(text("SELECT pg_reload_conf()"))
