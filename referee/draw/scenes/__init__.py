"""Scenes, which are shapes with classes, and their renderers: SVG, PNG, PDF and text with colours.

The drawings of the games make the scenes; the renderers know no game.
"""
