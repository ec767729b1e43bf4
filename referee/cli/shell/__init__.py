"""The shell around the commands: terminal, output, options, completion, manual pages.

`screen`, `output` and `errors` say how a command speaks, `parameters` and `options` what it is told. `candidates`
completes words for `completion`, and `groups` loads a command's module when it is called.
"""
