"""The end of GitHub's manifest flow: a code that is good once, for an hour, becomes the App's keys."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pydantic import BaseModel, SecretStr, ValidationError

from bot.github.client import GitHubClient
from bot.github.errors import GitHubError, NotFound
from bot.secrecy import SECRECY

_CODE = re.compile(r"[0-9A-Za-z_-]{1,128}")


class SetupFailed(Exception):  # noqa: N818  the name says what happened
    """The App could not be registered; the message says what to do."""


@dataclass(frozen=True)
class Registered:
    """The App as GitHub registered it, with the keys that it tells once."""

    app_id: int
    slug: str
    page: str
    private_key: SecretStr
    webhook_secret: SecretStr


class _Answer(BaseModel):
    id: int
    slug: str
    html_url: str
    pem: SecretStr
    webhook_secret: SecretStr


async def convert(client: GitHubClient, code: str) -> Registered:
    """Exchange the code for the App; raises SetupFailed with a sentence for the person who set it up."""
    if not _CODE.fullmatch(code):
        raise SetupFailed("This is no code that GitHub gives. Start again.")
    try:
        answer = _Answer.model_validate(await client.post(f"/app-manifests/{code}/conversions"))
    except NotFound as error:
        raise SetupFailed(
            "GitHub no longer knows this code: it is good once, and for an hour. Where the App was registered all the "
            "same, delete it on its settings page on GitHub; then start again."
        ) from error
    except GitHubError as error:
        raise SetupFailed(f"GitHub did not give the App's keys: {error}. Reload this page to try again.") from error
    except ValidationError as error:
        missing = ", ".join(sorted({str(one["loc"][0]) for one in error.errors()}))
        raise SetupFailed(
            f"GitHub's answer lacks {missing}. Make a private key and a webhook secret on the App's settings page on "
            "GitHub, and set them by hand."
        ) from error
    SECRECY.hide((answer.pem.get_secret_value(), answer.webhook_secret.get_secret_value()))
    return Registered(answer.id, answer.slug, answer.html_url, answer.pem, answer.webhook_secret)
