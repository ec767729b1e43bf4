// Beginning a game against engines, or going on with one.

import { element } from "../../../draw/templates/composer/elements.js";
import { shelfOf } from "./memory.js";
import { gameChoiceOf, sideChoiceOf } from "./options.js";
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

  const sides = sideChoiceOf("Your side");
  const level = choiceOf("Level of the engine", levels);
  level.input.value = USUAL;
  const start = buttonOf("Play", () =>
    open("practice-begin", {
      game: kinds.game(),
      options: kinds.options(),
      side: sides.input.value,
      level: Number(level.input.value),
    }),
  );
  const kinds = gameChoiceOf("Your game", { games, buttons: [start], further: sides.fillFor });
  kinds.ready.catch(() => {});
  const begin = element(
    "details",
    { open: "" },
    element("summary", {}, "Begin a game with an engine"),
    ...kinds.roots,
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
