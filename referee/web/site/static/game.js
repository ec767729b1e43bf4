// The page of a game: it follows the game, steps through it, and lets its players play.

import "./pages.js";
import "./steps.js";
import "./clocks.js";

if (document.getElementById("seat")) import("./play.js");
