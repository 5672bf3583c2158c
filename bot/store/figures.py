"""The figures of posted reports: kept under names that never change, shown only where a public repository has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from bot.store.tables import Figure, FigureUse, Repository
from reports.figures import FigureFile

SVG, PNG = "image/svg+xml", "image/png"


@dataclass(frozen=True)
class StoredFigure:
    """A figure's file as it is served."""

    content: bytes
    content_type: str


async def store_figures(session: AsyncSession, repository_id: int, files: Sequence[FigureFile], now: datetime) -> bool:
    """Keep both formats of a report's figures and return True; of a private or unknown repository keep nothing.

    Each file is then at `/figures/NAME`, NAME being the figure's `svg_name` or `png_name`. Storing again keeps it for
    another while, until the report that shows it is posted. The repository stays public until the transaction ends.
    """
    repository = await session.get(Repository, repository_id, with_for_update={"read": True}, populate_existing=True)
    if repository is None or repository.private:
        return False
    by_name = {
        name: {"name": name, "content_type": kind, "content": content, "created_at": now}
        for one in files
        for name, kind, content in ((one.svg_name, SVG, one.svg), (one.png_name, PNG, one.png))
    }
    if by_name:
        uses = [{"name": name, "repository_id": repository_id} for name in by_name]
        again = insert(Figure).on_conflict_do_update(index_elements=[col(Figure.name)], set_={"created_at": now})
        await session.execute(again.values([by_name[name] for name in sorted(by_name)]))
        await session.execute(insert(FigureUse).values(uses).on_conflict_do_nothing())
    return True


def file_names(files: Sequence[FigureFile]) -> list[str]:
    """Return the names under which the files of figures are kept."""
    return [name for one in files for name in (one.svg_name, one.png_name)]


async def stored_figure(session: AsyncSession, name: str) -> StoredFigure | None:
    """Return a figure by its file's name, or None where no repository that is public now has it in a report."""
    public = (
        select(FigureUse.name)
        .join(Repository, col(Repository.id) == col(FigureUse.repository_id))
        .where(FigureUse.name == name, col(Repository.private).is_(False))
    )
    found = await session.execute(select(Figure).where(Figure.name == name, public.exists()))
    figure = found.scalars().one_or_none()
    return None if figure is None else StoredFigure(figure.content, figure.content_type)
