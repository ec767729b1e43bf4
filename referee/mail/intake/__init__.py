"""A letter that came in, from its bytes to what it asks for.

`message` and `letter` have its text, `classification` and `delivery` tell people's letters from those of machines,
and `quotes` finds the lines that are surely the writer's own. `grammar` parses these, with `plans`, `titles`,
`terms`, `openings` and `requests`; `commands` gathers what they ask, with `courtesies` and `intent`, and
`meanings` finds the moves that they mean, as it does for the `statements` of a page.
"""
