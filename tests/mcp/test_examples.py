"""The tools over MCP with the real jdt.ls: every example in their texts is a call that works."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import jsonschema
import pytest

from query.mcp.tools import FIND, OUTLINE, TOOLS
from tests.support.cli import Javadex
from tests.support.mcp import Agent, talk

PROJECT = Path(__file__).parents[2] / "sample_projects" / "maven-shop" / "orders"


@pytest.mark.jdtls
@pytest.mark.slow
def test_every_example_in_the_tools_texts_works(javadex: Javadex, tmp_path: Path) -> None:
    for name in ("JAVADEX_JAVA", "JAVADEX_JDTLS"):
        del javadex.env[name]
    project = tmp_path / "orders"
    shutil.copytree(PROJECT, project)

    async def scenario(agent: Agent) -> int:
        await agent.ready()
        tried = 0
        for tool in (await agent.session.list_tools()).tools:
            for example in TOOLS[tool.name].examples:
                assert tool.description
                assert json.dumps(example) in tool.description
                jsonschema.validate(example, tool.input_schema)
                document = await agent.call(tool.name, **example)
                if tool.name == FIND:
                    assert document["results"], example
                if tool.name == OUTLINE:
                    assert document["symbols"], example
                tried += 1
        # What a description promises on the way from a type to the lines to read.
        (total,) = (await agent.find("OrderService#total", declarations=True))["results"]
        first, count = total["readFileRange"].values()
        text = Path(total["file"]).read_text("utf-8").splitlines()[first - 1 : first - 1 + count]
        assert "Money total(" in "\n".join(text)
        outline = await agent.outline(total["documentUri"], limit=60)
        (service,) = [each for each in outline["symbols"] if each["name"] == "OrderService"]
        ranges = {each["name"]: each["readFileRange"] for each in service["children"]}
        assert ranges[total["signature"]] == total["readFileRange"]
        return tried

    assert talk(javadex, scenario, "--root", project) >= 8


def test_schemas_are_json_schemas() -> None:
    for tool in TOOLS.values():
        jsonschema.Draft202012Validator.check_schema(tool.input)
        jsonschema.Draft202012Validator.check_schema(tool.output)
        for schema in (tool.input, tool.output):
            assert schema["type"] == "object", "the root of a schema, as MCP has it"
        assert not {"anyOf", "oneOf", "allOf", "$ref"} & tool.input.keys(), "clients want it plain"
        assert set(tool.required) <= set(tool.inputs)
        assert all(schema.get("description") for schema in tool.inputs.values())
