// Beginning a game against engines, or going on with one.

import { element } from "../../../draw/templates/composer/elements.js";
import { shelfOf } from "./memory.js";
import { optionsOf } from "./options.js";
import { answerOf, buttonOf, choiceOf, paperOf } from "./paper.js";
import { practiceOf } from "./practice.js";

const USUAL = "3";

export const engineRoom = ({ ask, levels, games, memory, study }) => {
  const practices = shelfOf(memory, "practices");
  const answer = answerOf();
  const place = element("div", { class: "place", id: "engine-place" });
  const again = element("ul", { class: "buttons", "aria-label": "Games with engines kept in this browser" });
  const practice = practiceOf(place, { ask, practices, changed: () => list(), study });

  const open = (...asked) =>
    answer.wait(async () => {
      begin.open = bring.open = false;
      await practice.open(...asked);
      return [];
    });
  const list = async () =>
    again.replaceChildren(
      ...(await practices.last()).map(({ number, title, plies, kept }) =>
        element("li", {}, buttonOf(`Go on: ${title}; ply ${plies}`, () => open("practice-keep", { kept }, number))),
      ),
    );

  const kinds = choiceOf("Your game", []);
  const choices = element("div", { class: "choices" });
  const sides = choiceOf("Your side", []);
  const level = choiceOf("Level of the engine", levels);
  level.input.value = USUAL;
  let chosen = null;
  const start = buttonOf("Play", () =>
    open("practice-begin", {
      game: kinds.input.value,
      options: chosen.values(),
      side: sides.input.value,
      level: Number(level.input.value),
    }),
  );
  const begin = element(
    "details",
    { open: "" },
    element("summary", {}, "Begin a game with an engine"),
    kinds.root,
    choices,
    sides.root,
    level.root,
    element("p", {}, "At each of these levels an engine answers within about five seconds."),
    start,
  );

  const paper = paperOf("A game file", 4);
  const bring = element(
    "details",
    {},
    element("summary", {}, "Go on with a game file"),
    element("p", {}, "Files of this page and of the command referee play say where the engines sit."),
    paper.root,
    buttonOf("Go on playing", () =>
      open("practice-resume", { text: paper.text(), name: paper.name(), level: Number(level.input.value) }),
    ),
  );

  start.disabled = true;
  games.then((found) => {
    start.disabled = false;
    kinds.input.replaceChildren(...found.map(({ name, title }) => element("option", { value: name }, title)));
    const settle = () => {
      const game = found.find(({ name }) => name === kinds.input.value);
      chosen = optionsOf(game);
      choices.replaceChildren(...chosen.roots);
      sides.input.replaceChildren(...game.sides.map((side) => element("option", { value: side }, side)));
    };
    kinds.input.addEventListener("change", settle);
    settle();
  }, () => {});

  const panel = element(
    "section",
    {},
    element("h2", {}, "Play with an engine"),
    element(
      "p",
      {},
      "It sees what you see, and nothing more. Where both sides move at once, it seals its move before you choose " +
        "yours; the seal and what opens it are shown, so that you can check that it did not look.",
    ),
    again,
    begin,
    bring,
    answer.root,
    place,
  );
  list();
  return { id: "engine", title: "Engine", panel, again };
};
