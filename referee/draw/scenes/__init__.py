"""Scenes, and what becomes of them: SVG, PNG, PDF and text with colours.

A scene is shapes with classes. The renderers here know no game; the drawings of the games make the scenes.
"""
