"""docs/config.md, made from the descriptions of the config's own fields.

`python -m experiments.reference` prints it; a test compares it with the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from experiments.config import Config

__all__ = ["config_page"]

HEAD = """# The config

A TOML file. Only `name`, `seed` and one `[[fitness]]` must be there; the rest has the defaults
below. A key that is not known, a value of another type or out of its range is refused before
anything is made, all mistakes at once. `evogarden new FILE` writes a commented one to begin with;
`--set evolution.population=50` overrides a key for one run; `evogarden schema` prints the JSON
schema for editors. This page is printed by `python -m experiments.reference`.

Relative paths of images, heights and founders start at the folder of the config file; those in a
`--set` start at the working directory. A run keeps the digests of images and heights:
`evogarden resume` refuses to go on with others, and `evogarden verify` names what changed.
"""

LISTS = {
    "fitness": """
A `[[fitness]]` takes the parameters of its score beside `name` and `weight`; `evogarden fitness`
lists them. `name = "package.module:attribute"` is a function of your own on a `fitness.Scene`.
""",
    "guide": """
A `[[guide]]` takes the parameters of its score beside `name` and `until`. Guides are evaluated for
the search `guided` alone, beside the scores of the fitness; they change neither the fitness nor the
hall of fame.
""",
}


def config_page() -> str:
    """Return docs/config.md as Markdown."""
    schema = Config.model_json_schema()
    parts = [HEAD, "## Top level\n", *_table(schema, schema)]
    for name, field in schema["properties"].items():
        section = _resolve(field, schema)
        many = field.get("type") == "array"
        section = _resolve(field["items"], schema) if many else section
        if "properties" not in section:
            continue
        title = f"[[{name}]]" if many else f"[{name}]"
        parts += [f"\n## {title}\n", f"{section['description']}\n", *_table(section, schema)]
        if many:
            parts.append(LISTS[name])
    return "\n".join(parts) + "\n"


def _resolve(field: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = field
    for one in field.get("anyOf", ()):  # a table that may be left out
        if "$ref" in one:
            return _resolve(one, schema)
    if "$ref" in field:
        found = schema["$defs"][field["$ref"].rsplit("/", 1)[1]]
    return found


def _table(section: dict[str, Any], schema: dict[str, Any]) -> Iterator[str]:
    required = section.get("required", ())
    yield "| key | type | default | meaning |\n| --- | --- | --- | --- |"
    for name, field in section["properties"].items():
        if "properties" in _resolve(field, schema) or field.get("items", {}).get("$ref"):
            continue
        default = "required" if name in required else _value(field.get("default"))
        yield f"| `{name}` | {_kind(field)} | {default} | {field.get('description', '')} |"


def _value(value: Any) -> str:
    if value is None:
        return "none"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"`{text}`"


def _kind(field: dict[str, Any]) -> str:
    if "anyOf" in field:
        return " or ".join(_kind(one) for one in field["anyOf"] if one.get("type") != "null")
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    if "const" in field:
        return f"`{field['const']}`"
    if field.get("type") == "array":
        items = field.get("prefixItems", ())
        return f"list of {len(items)}" if items else "list"
    kinds = {"integer": "whole number", "number": "number", "string": "text", "boolean": "flag"}
    kind = kinds[field["type"]]
    limits = [
        f"{sign} {field[key]}"
        for key, sign in (
            ("minimum", "≥"),
            ("exclusiveMinimum", ">"),
            ("maximum", "≤"),
        )
        if key in field
    ]
    return f"{kind} {', '.join(limits)}".strip()


if __name__ == "__main__":
    print(config_page(), end="")
