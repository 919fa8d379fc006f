"""What calls bring and sessions answer, as the API's description has it. What is not named here is refused."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from core.application.people.attendance.views import Entry, QueueItem

REPLY_CHARACTERS, AGREED_CHARACTERS = 4096, 1000


class Body(BaseModel):
    """No field but those that are named."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class LogIn(Body):
    """An attendant's token, as the command showed it."""

    token: Annotated[str, Field(min_length=1, max_length=200)]


class Search(Body):
    """A phone in any usual form; Brazilian ones need no country code."""

    phone: Annotated[str, Field(min_length=8, max_length=30)]


class Nothing(Body):
    """A command without details."""


class ReplyFile(Body):
    """A PDF, a JPEG or a PNG of at most 4 MB; `content` is base64."""

    name: Annotated[str, Field(max_length=1000)]
    mime_type: Annotated[str, Field(max_length=100)]
    content: str


class Reply(Body):
    """`client_id` names the reply, whenever the call is repeated; `seen` is the newest key that was shown. A text, a
    file, or both: the text is the file's caption then, of at most 1,024 characters.
    """

    client_id: Annotated[str, Field(pattern=r"^[0-9A-Za-z-]{8,64}$")]
    text: Annotated[str, Field(min_length=1, max_length=REPLY_CHARACTERS)] | None = None
    file: ReplyFile | None = None
    seen: Annotated[str, Field(max_length=160)] | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.text is None and self.file is None:
            raise ValueError("text_or_file")
        return self


class HandBack(Body):
    """What was agreed with the customer, for the assistant to go on from."""

    agreed: Annotated[str, Field(max_length=AGREED_CHARACTERS)] | None = None


class AttendantShown(BaseModel):
    """Who is logged in."""

    id: str
    name: str
    role: str


class Session(BaseModel):
    """Who is logged in, and whose front desk it is; nobody is told only that they are not."""

    attendant: AttendantShown | None
    company: str
    now_ms: int


class Done(BaseModel):
    """The conversation after a command."""

    item: QueueItem


class ReplyDone(BaseModel):
    """`newer`: the customer wrote something after what the attendant had seen."""

    entry: Entry
    newer: bool


class Problem(BaseModel):
    """Every error: a code, and a sentence that may be shown."""

    error: str
    message: str
