// Beginning or opening a game, and the board on which it is played.

import { element } from "../../../draw/templates/composer/elements.js";
import { boardOf } from "./board.js";
import { fileInLink } from "./link.js";
import { shelfOf } from "./memory.js";
import { fill, gameChoiceOf } from "./options.js";
import { answerOf, buttonOf, choiceOf, fieldOf, paperOf } from "./paper.js";

export const playRoom = ({ ask, games, memory, seal }) => {
  const studies = shelfOf(memory, "games");
  const answer = answerOf();
  const place = element("div", { class: "place", id: "play-place" });
  const board = boardOf(place, { ask, studies, seal });
  const paper = paperOf("A game file, or a link to a game", 6);
  const examples = choiceOf("An example", []);
  let seats = [];

  const open = (text, options) =>
    answer.wait(async () => {
      const file = (await fileInLink(text)) ?? text;
      await board.open(file, options);
      list();
      begin.open = bring.open = false;
      return [];
    });

  const start = buttonOf("Begin this game", () =>
    answer.wait(async () => {
      const { file, secret } = await ask("begin", {
        game: kinds.game(),
        options: kinds.options(),
        players: Object.fromEntries(seats.map(({ side, input }) => [side, input.value])),
      });
      await board.open(file, { secret });
      begin.open = bring.open = false;
      return [];
    }),
  );
  const example = buttonOf("Open the example", () =>
    answer.wait(async () => {
      const { text } = await ask("example", { game: kinds.game(), name: examples.input.value });
      await board.open(text);
      begin.open = bring.open = false;
      return [];
    }),
  );
  const further = (game) => {
    fill(examples, game.examples.map((name) => [name, name]));
    seats = game.sides.map((side) => ({ side, ...fieldOf(`Who plays ${side}`, { maxlength: "100" }) }));
    return seats.map(({ root }) => root);
  };
  const kinds = gameChoiceOf("The game", { games, buttons: [start, example], further });
  const begin = element(
    "details",
    { open: "" },
    element("summary", {}, "Begin a game"),
    ...kinds.roots,
    start,
    examples.root,
    example,
  );
  const again = element("ul", { class: "buttons", "aria-label": "Games kept in this browser" });
  const list = async () =>
    again.replaceChildren(
      ...(await studies.last()).map(({ number, name, plies, file, secret }) =>
        element("li", {}, buttonOf(`Go on: ${name}, ply ${plies}`, () => open(file, { secret, number }))),
      ),
    );
  list();
  const bring = element(
    "details",
    {},
    element("summary", {}, "Open a game"),
    paper.root,
    buttonOf("Open it", () => open(paper.text(), { name: paper.name() })),
  );

  const panel = element("section", {}, element("h2", {}, "Play and study"), again, begin, bring, answer.root, place);
  return { id: "play", title: "Board", panel, again, open };
};
