"""The shell around the commands: terminal, output, options, completion, manual pages."""
