"""The page of the HTTP API of a workspace, out of its description (OpenAPI)."""

import json

DESCRIPTION = "Workspace/OpenAPI/openapi.json"
PLACE = "reference/http.md"


def resolve(description, value):
    """A value, or what its reference names."""
    if "$ref" not in value:
        return value
    found = description
    for name in value["$ref"].removeprefix("#/").split("/"):
        found = found[name]
    return found


def cell(text):
    return " ".join(text.split()).replace("|", "\\|")


def parameters(description, operation):
    rows = [resolve(description, value) for value in operation.get("parameters", [])]
    if rows:
        yield "\n".join(["| parameter | in | |", "|---|---|---|"] + [
            f"| `{row['name']}` | {row['in']}{', required' if row.get('required') else ''} | {cell(row.get('description', ''))} |"
            for row in rows])


def body(operation):
    """The media types of a request's body, and the names of their schemas."""
    for media, value in operation.get("requestBody", {}).get("content", {}).items():
        name = value.get("schema", {}).get("$ref", "").split("/")[-1]
        yield f"Body: `{media}`" + (f", {name}" if name else "")


def answers(description, operation):
    rows = [(code, resolve(description, value)) for code, value in operation["responses"].items()]
    yield "\n".join(["| answer | |", "|---|---|"] + [f"| {code} | {cell(row['description'])} |" for code, row in rows])


def operation_parts(description, path, method, operation, is_below_v1):
    shown = f"/v1{path}" if is_below_v1 else path
    yield f"### `{method.upper()} {shown}` {{ #{operation['operationId']} }}"
    yield " ".join([operation["summary"], operation.get("description", "")]).strip()
    roles = sorted({role for way in operation.get("security", []) for listed in way.values() for role in listed})
    if roles:
        yield f"Role: {', '.join(roles)}."
    if is_below_v1:
        yield f"`{path}` is the same."
    yield from parameters(description, operation)
    yield from body(operation)
    yield from answers(description, operation)


def parts(description):
    yield "# HTTP API of a workspace"
    yield description["info"]["description"]
    yield f"The description for programs is [openapi.json](../files/{DESCRIPTION}), with all schemas."
    for tag in description["tags"]:
        yield f"## {tag['name'].capitalize()}"
        yield tag["description"]
        for path, item in description["paths"].items():
            is_below_v1 = {"url": "/v1"} in item.get("servers", [])
            for method, operation in item.items():
                if isinstance(operation, dict) and tag["name"] in operation["tags"]:
                    yield from operation_parts(description, path, method, operation, is_below_v1)


def write(root, folder):
    description = json.loads((root / DESCRIPTION).read_text(encoding="utf-8"))
    file = folder / PLACE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n\n".join(parts(description)) + "\n", encoding="utf-8")
