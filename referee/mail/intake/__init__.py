"""A letter that came in, from its bytes to what it asks for.

The steps, in their order; each can only see what the steps before it have found:

1. The part `message` turns bytes into a header, parts and lines; `letter` holds them.
2. `classification`: tell people's letters from those of machines; `delivery` reads a server's report of a letter that
   came back.
3. `quotes`: drop signatures and quotations, and find the lines that are surely the writer's own.
4. `grammar`: parse each line that is left, but those of a plan, which `plans` finds; `titles`, `terms`, `engines` and
   `openings` read what it says of a new game, and `requests` are what it can say to the desk itself.
5. `commands`: gather the commands, those in own words by `courtesies` too, and ask where they do not agree; `intent`
   completes what the letter leaves open.
6. `meanings`: with the game at hand, find the one legal move that a line means, or the choices to ask about, what a
   bare answer chooses, and the words to pass on.

A move made on a page goes the same way, as one of the `statements`.

`read_letter` takes step 1, `classify` step 2, and `Letter.reading` the others, once it is clear whose letter it is.
"""
