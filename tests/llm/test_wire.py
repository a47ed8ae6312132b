"""Schemas on the wire: strict for providers, with counts for servers of one's own."""

from benchwright.agents.proposing import said_as
from benchwright.llm.structured import schema_of
from benchwright.llm.wire import COUNTED, response_format


def test_only_servers_of_ones_own_are_asked_to_count() -> None:
    schema = schema_of(said_as("single", 4, 6))
    plain, counted = (response_format(schema, *kept)["json_schema"] for kept in ((), (COUNTED,)))
    assert plain["strict"]
    assert counted["strict"]
    options = counted["schema"]["properties"].pop("options")
    assert (options.pop("minItems"), options.pop("maxItems")) == (4, 6)
    assert plain["schema"]["properties"].pop("options") == options
    assert counted["schema"]["properties"]["cues"].pop("maxItems") == 12
    assert counted["schema"]["properties"]["question"].pop("minLength") == 1
    assert counted["schema"]["$defs"]["SaidOption"]["properties"]["text"].pop("minLength") == 1
    assert counted["schema"] == plain["schema"]
