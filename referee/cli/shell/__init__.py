"""The shell around the commands: terminal, output, options, completion, manual pages.

`screen`, `output` and `errors` write for commands; `parameters` and `options` read their arguments. `candidates`
completes words for `completion`, and `groups` loads a command's module when it is called.
"""
