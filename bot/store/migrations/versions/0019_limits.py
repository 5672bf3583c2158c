"""Create the table of GitHub's limits that all replicas share, and the function that books a request in it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0019_limits"
down_revision = "0018_imported"

_COUNTS = (
    "used",
    "minute",
    "open_now",
    "open_before",
    "cost_now",
    "cost_before",
    "points_now",
    "points_before",
    "strikes_reading",
    "strikes_writing",
)

# One statement a request: what came of earlier ones is noted, and the next is booked, or told how long to wait.
_ENTER = """
CREATE FUNCTION github_limit_enter(
    which bigint, what text, cost integer, points integer, most_points integer, most_open integer, kept float,
    turned timestamptz, ended_minutes integer[], ended_costs integer[],
    heard_limit integer, heard_used integer, heard_resets_in float, read_ago float, wrote_ago float
) RETURNS TABLE (wait float, given_minute integer) LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := coalesce(turned, now());
    r github_limit;
    passed float;
    heard_reset timestamptz;
    same interval := '30 seconds';
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    SELECT * INTO r FROM github_limit AS l WHERE l.installation_id = which AND l.resource = what FOR UPDATE;
    IF NOT FOUND THEN
        INSERT INTO github_limit (installation_id, resource, minute_at) VALUES (which, what, moment)
        ON CONFLICT DO NOTHING;
        SELECT * INTO r FROM github_limit AS l WHERE l.installation_id = which AND l.resource = what FOR UPDATE;
    END IF;
    passed := extract(epoch FROM moment - r.minute_at);
    IF passed >= 60 THEN
        IF r.resets_at IS NOT NULL THEN
            r.used := r.used + r.cost_before + CASE WHEN passed >= 120 THEN r.cost_now ELSE 0 END;
        END IF;
        IF passed >= 120 THEN
            r.open_now := 0; r.cost_now := 0; r.points_now := 0; r.minute := r.minute + 1;
        END IF;
        r.open_before := r.open_now; r.cost_before := r.cost_now; r.points_before := r.points_now;
        r.open_now := 0; r.cost_now := 0; r.points_now := 0;
        r.minute := r.minute + 1;
        r.minute_at := moment;
    END IF;
    IF r.resets_at <= moment THEN
        r.used := 0;
        r.resets_at := NULL;
    END IF;
    FOR i IN 1 .. cardinality(ended_minutes) LOOP
        IF ended_minutes[i] = r.minute THEN
            r.open_now := greatest(0, r.open_now - 1); r.cost_now := greatest(0, r.cost_now - ended_costs[i]);
        ELSIF ended_minutes[i] = r.minute - 1 THEN
            r.open_before := greatest(0, r.open_before - 1);
            r.cost_before := greatest(0, r.cost_before - ended_costs[i]);
        END IF;
    END LOOP;
    IF heard_resets_in > 0 THEN
        heard_reset := moment + make_interval(secs => heard_resets_in);
        IF r.resets_at IS NULL OR heard_reset > r.resets_at + same THEN
            r.used := heard_used; r.resets_at := heard_reset; r.allowance := heard_limit;
        ELSIF heard_reset >= r.resets_at - same THEN
            r.used := greatest(r.used, heard_used); r.allowance := heard_limit;
            r.resets_at := greatest(r.resets_at, heard_reset);
        END IF;
    END IF;
    IF r.closed_until IS NULL OR moment - make_interval(secs => read_ago) >= r.closed_until THEN
        r.strikes_reading := CASE WHEN read_ago IS NULL THEN r.strikes_reading ELSE 0 END;
    END IF;
    IF r.closed_until IS NULL OR moment - make_interval(secs => wrote_ago) >= r.closed_until THEN
        r.strikes_writing := CASE WHEN wrote_ago IS NULL THEN r.strikes_writing ELSE 0 END;
    END IF;
    wait := 0;
    IF r.closed_until > moment THEN
        wait := extract(epoch FROM r.closed_until - moment);
    ELSIF r.used + r.cost_now + r.cost_before + cost > r.allowance - floor(r.allowance * kept)
        AND r.resets_at IS NOT NULL THEN
        wait := extract(epoch FROM r.resets_at - moment);
    ELSIF r.open_now + r.open_before >= most_open THEN
        wait := 1;
    ELSIF r.points_now + r.points_before + points > most_points THEN
        wait := greatest(1, 60 - extract(epoch FROM moment - r.minute_at));
    ELSE
        r.open_now := r.open_now + 1;
        r.cost_now := r.cost_now + cost;
        r.points_now := r.points_now + points;
    END IF;
    UPDATE github_limit AS l SET
        used = r.used, allowance = r.allowance, resets_at = r.resets_at, minute = r.minute, minute_at = r.minute_at,
        open_now = r.open_now, open_before = r.open_before, cost_now = r.cost_now, cost_before = r.cost_before,
        points_now = r.points_now, points_before = r.points_before,
        strikes_reading = r.strikes_reading, strikes_writing = r.strikes_writing
    WHERE l.installation_id = which AND l.resource = what;
    given_minute := r.minute;
    RETURN NEXT;
END $$
"""


def upgrade() -> None:
    """Create the table, its function, and the log of what is written in the background."""
    op.create_table(
        "github_limit",
        sa.Column("installation_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("resource", sa.String(), nullable=False),
        sa.Column("allowance", sa.Integer(), server_default=sa.text("5000"), nullable=False),
        sa.Column("resets_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("minute_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_until", sa.DateTime(timezone=True), nullable=True),
        *(sa.Column(name, sa.Integer(), server_default=sa.text("0"), nullable=False) for name in _COUNTS),
        sa.PrimaryKeyConstraint("installation_id", "resource"),
    )
    op.execute(_ENTER)
    moments = postgresql.ARRAY(sa.DateTime(timezone=True))
    op.add_column(
        "installation", sa.Column("background_writes", moments, server_default=sa.text("'{}'"), nullable=False)
    )
