"""The handlers of letters: from a stored letter to what the desk does and answers.

`pipeline` has the steps in their order. Handlers change games through the desk alone.
"""
