"""The attendants' API in OpenAPI, from the routes that serve it; never served itself."""

from __future__ import annotations

import json
from typing import Any

from handlers.attending.access import COOKIE
from handlers.attending.bodies import Problem
from handlers.attending.routes import build_app

TITLE, VERSION = "Balcão: attendants", "1"
_SECURITY = {
    "token": {"type": "http", "scheme": "bearer", "description": "An attendant's token: for machines."},
    "session": {"type": "apiKey", "in": "cookie", "name": COOKIE, "description": "Set by POST /session: for the page."},
}
_PROBLEMS = {
    "401": "No attendant's token.",
    "403": "Another site's page, or not for this attendant.",
    "404": "Nobody knows the conversation.",
    "409": "Somebody else has it, or it is not in a state for this.",
    "413": "Too large.",
    "415": "No JSON.",
    "422": "The call is not as described.",
    "500": "A fault of ours.",
    "502": "A system behind this one did not answer.",
}
_REFERENCE = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
_OPEN = {("/session", "post"), ("/session", "delete")}


def describe() -> dict[str, Any]:
    """The document. powertools' schemas of errors ask for fields that its answers leave out: ours is one."""
    document: dict[str, Any] = json.loads(build_app().get_openapi_json_schema(title=TITLE, version=VERSION))
    schemas = document["components"]["schemas"]
    for name in [name for name in schemas if name.endswith("ValidationError")]:
        del schemas[name]
    schemas["Problem"] = Problem.model_json_schema()
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            for status, text in _PROBLEMS.items():
                operation["responses"][status] = {"description": text, "content": _REFERENCE}
            if (path, method) in _OPEN:
                operation["security"] = []
    for path in ("/queue", "/conversations/{conversation}"):
        document["paths"][path]["get"]["responses"]["304"] = {"description": "As it was when its ETag was given."}
    file = document["paths"]["/conversations/{conversation}/media/{n}"]["get"]["responses"]["200"]
    file["content"] = {"*/*": {"schema": {"type": "string", "format": "binary"}}}
    document["components"]["securitySchemes"] = _SECURITY
    document["security"] = [{"token": []}, {"session": []}]
    return document
