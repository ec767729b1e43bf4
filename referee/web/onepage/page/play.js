// Beginning or opening a game, and the board on which it is played.

import { element } from "../../../draw/templates/composer/elements.js";
import { boardOf } from "./board.js";
import { fileInLink } from "./link.js";
import { shelfOf } from "./memory.js";
import { optionsOf } from "./options.js";
import { answerOf, buttonOf, choiceOf, fieldOf, paperOf } from "./paper.js";

export const playRoom = ({ ask, games, memory, seal }) => {
  const studies = shelfOf(memory, "games");
  const answer = answerOf();
  const place = element("div", { class: "place", id: "play-place" });
  const board = boardOf(place, { ask, studies, seal });
  const paper = paperOf("A game file, or a link to a game", 6);
  const kinds = choiceOf("The game", []);
  const examples = choiceOf("An example", []);
  const choices = element("div", { class: "choices" });
  let chosen = null;
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
        game: kinds.input.value,
        options: chosen.values(),
        players: Object.fromEntries(seats.map(({ side, input }) => [side, input.value])),
      });
      await board.open(file, { secret });
      begin.open = bring.open = false;
      return [];
    }),
  );
  const example = buttonOf("Open the example", () =>
    answer.wait(async () => {
      const { text } = await ask("example", { game: kinds.input.value, name: examples.input.value });
      await board.open(text);
      begin.open = bring.open = false;
      return [];
    }),
  );
  const begin = element(
    "details",
    { open: "" },
    element("summary", {}, "Begin a game"),
    kinds.root,
    choices,
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

  start.disabled = example.disabled = true;
  games.then((found) => {
    start.disabled = example.disabled = false;
    kinds.input.replaceChildren(...found.map(({ name, title }) => element("option", { value: name }, title)));
    const settle = () => {
      const game = found.find(({ name }) => name === kinds.input.value);
      chosen = optionsOf(game);
      seats = game.sides.map((side) => ({ side, ...fieldOf(`Who plays ${side}`, { maxlength: "100" }) }));
      choices.replaceChildren(...chosen.roots, ...seats.map(({ root }) => root));
      examples.input.replaceChildren(...game.examples.map((name) => element("option", { value: name }, name)));
    };
    kinds.input.addEventListener("change", settle);
    settle();
  });

  const panel = element("section", {}, element("h2", {}, "Play and study"), again, begin, bring, answer.root, place);
  return { id: "play", title: "Board", panel, again, open };
};
