// The referee in one page: its rooms, and the worker that answers them.

import { aboutRoom } from "./about.js";
import { auditRoom } from "./audit.js";
import { checkRoom } from "./check.js";
import { refereeOf } from "./referee.js";
import { tabsOf } from "./tabs.js";

const STEPS = ["unpacking", "starting Python", "loading the rules"];

const made = JSON.parse(document.querySelector("#data").textContent);
const state = document.querySelector("#state");
const progress = document.querySelector("#progress");

const { ask, started } = refereeOf(
  made.parts.map(({ name }) => name),
  (step) => {
    progress.value = STEPS.indexOf(step) + 1;
    state.textContent = `The referee is ${step}.`;
  },
);
started.then(
  () => {
    progress.hidden = true;
    state.textContent = "The referee is ready.";
    document.documentElement.dataset.ready = String(Math.round(performance.now()));
  },
  (error) => {
    state.textContent = `The referee cannot start in this browser: ${error.message}`;
  },
);

const games = ask("games").then((found) => found.games);
games.catch(() => {});
const rooms = [checkRoom({ ask, games, board: () => {} }), auditRoom({ ask }), aboutRoom(made)];
tabsOf(document.querySelector("#room"), rooms);
