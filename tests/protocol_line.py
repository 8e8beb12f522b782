"""A table that answers requests of the line protocol, with each line held against the schema."""

from __future__ import annotations

import json
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from rulewright import bundle
from rulewright.protocol.request_handler import RequestHandler
from rulewright.protocol.transport import answer_line

SCHEMAS = bundle.bundle_folder("schemas")
SCHEMA = json.loads((SCHEMAS / "protocol.schema.json").read_text(encoding="utf-8"))
STATE = json.loads((SCHEMAS / "state.schema.json").read_text(encoding="utf-8"))
BASE = "file:///schemas/"
KNOWN: Registry[Any] = Registry().with_resources(
    [
        (f"{BASE}protocol.schema.json", DRAFT202012.create_resource(SCHEMA)),
        (f"{BASE}state.schema.json", DRAFT202012.create_resource(STATE)),
    ]
)


def validator(part: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"{BASE}protocol.schema.json{part}"}, registry=KNOWN)


REQUEST, ANSWER, LINE = validator("#/$defs/request"), validator("#/$defs/answer"), validator("")


class Line:
    """Asks one table, and holds every line of both sides against the schema."""

    def __init__(self, table: RequestHandler | None = None) -> None:
        self.table = table or RequestHandler()

    def __call__(self, do: str, **request: Any) -> dict[str, Any]:
        asked = {"do": do, **request}
        faults = [error.message for error in REQUEST.iter_errors(asked)]
        answer = answer_line(json.dumps(asked).encode(), self.table)
        ANSWER.validate(answer)
        LINE.validate(answer)
        if "error" not in answer:
            assert not faults, faults
        return answer

    def refused(self, do: str, **request: Any) -> str:
        """The code of the error that a request gets; the game stays as it was."""
        before = self.position()
        answer = self(do, **request)
        assert self.position() == before
        return str(answer["error"]["code"])

    def position(self) -> Any:
        return answer_line(b'{"do": "save"}', self.table).get("position")
