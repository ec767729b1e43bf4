// The referee in one page: its rooms, and the worker that answers them.

import { aboutRoom } from "./about.js";
import { drawnKey, keyIn, showKey } from "./address.js";
import { auditRoom } from "./audit.js";
import { checkRoom } from "./check.js";
import { duelRoom } from "./duel.js";
import { engineRoom } from "./engine.js";
import { homeRoom } from "./home.js";
import { learnRoom } from "./learn.js";
import { keepingOf } from "./keeping.js";
import { memoryOf } from "./memory.js";
import { playRoom } from "./play.js";
import { refereeOf } from "./referee.js";
import { sealRoom } from "./seal.js";
import { tabsOf } from "./tabs.js";

const STEPS = ["unpacking", "starting Python", "loading the rules"];

const made = JSON.parse(document.querySelector("#data").textContent);
const state = document.querySelector("#state");
const progress = document.querySelector("#progress");

const { ask, started } = refereeOf(
  made.parts.map(({ name }) => name),
  (step) => {
    progress.hidden = false;
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

const brought = location.hash;
const key = keyIn(brought) ?? drawnKey();
showKey(key);
const memory = memoryOf(() => localStorage, key, () => keeping.update());
const keeping = keepingOf(memory, key !== keyIn(brought));

const games = ask("games").then((found) => found.games);
games.catch(() => {});
const seal = sealRoom({ ask, memory });
const play = playRoom({
  ask,
  games,
  memory,
  seal(text) {
    show("seal");
    seal.take(text);
  },
});
const check = checkRoom({
  ask,
  games,
  board(text, options) {
    show("play");
    play.open(text, options);
  },
});
const engine = engineRoom({
  ask,
  levels: made.levels,
  games,
  memory,
  study(file) {
    show("play");
    play.open(file);
  },
});
const duel = duelRoom({ ask, games, memory });
const learn = learnRoom({ ask, games });
const rest = [check, auditRoom({ ask }), play, engine, duel, seal, learn, aboutRoom(made)];
const home = homeRoom({
  pictures: made.pictures,
  rooms: [engine, duel, play],
  games,
  show: (id) => show(id),
  learn(game) {
    learn.choose(game);
    show("learn");
  },
});
const rooms = [home, ...rest];
const room = document.querySelector("#room");
room.after(keeping.root);
const show = tabsOf(room, rooms);

/** Opens what a link brings, once: what is played on is not lost when the page is loaded again. */
const follow = (link) => {
  if (!link || keyIn(link)) return;
  const name = link.startsWith("#duel") ? "duel" : "play";
  show(name);
  if (name === "duel") duel.receive(link);
  else play.open(link);
};
addEventListener("hashchange", () => {
  const link = location.hash;
  // Another key opens other things: the page begins again with it.
  if (keyIn(link) && keyIn(link) !== key) return location.reload();
  showKey(key);
  follow(link);
});
follow(brought);
