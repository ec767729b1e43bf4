// A game on the board: stepped through, varied, played on, and taken out of the page again.

import { compose } from "../../../draw/templates/composer/composer.js";
import { element } from "../../../draw/templates/composer/elements.js";
import { pictureOf } from "../../../draw/templates/composer/picture.js";
import { cut, followed, linesOf, mainLine, others, pliesTo, promote, titleOf, written } from "./lines.js";
import { linkOf } from "./link.js";
import { paintOf } from "./paint.js";
import { buttonOf, choiceOf, outgoingOf, saveAs, triedIn } from "./paper.js";

const TURN = "";

/** The board of a game in an element; `studies` keeps the game, and `seal(text)` takes a move that is sealed instead. */
export const boardOf = (root, { ask, studies, seal }) => {
  const paint = paintOf(root);
  let game = null;
  let lines = null;
  let here = null;
  let kept = {};
  let shown = null;
  let composer = null;

  const title = element("h3", { class: "title" });
  const told = element("p", { class: "standing", role: "status" });
  const happened = element("ul", { class: "happened" });
  const fault = element("p", { class: "fault", role: "alert" });
  const place = element("section", { class: "composer", "aria-label": "Choose a move" });
  const curve = element("section", { class: "curve", "aria-label": "What an engine thinks", hidden: "" });
  const moves = element("div", { class: "moves" });
  const view = choiceOf("The board as seen by", [[TURN, "the side that chooses"]]);
  const sealing = element("input", { type: "checkbox" });
  const outgoing = outgoingOf("To copy");

  const asked = () => ({ file: game.file, plies: pliesTo(here) });
  const seen = () => view.input.value || null;

  const tried = triedIn(fault);

  const keep = async () => {
    const { file } = await ask("write", { file: game.file, secret: game.secret, ...written(lines) });
    game.file = file;
    const { number, title: name, secret } = game;
    await studies.keep({ number, name, plies: pliesTo(mainLine(lines).at(-1)).length, file, secret });
  };

  const draw = async (news) => {
    const waited = shown?.due.find((side) => !(side in kept));
    const side = Object.keys(kept).length ? waited : null;
    shown = await ask("show", { ...asked(), side, view: seen() });
    paint([shown.style, shown.curve?.style].join("\n"));
    if (composer) composer.update(shown, news);
    else composer = compose(place, shown, { key: "page", confirm: made, preview: trial, judge: read });
    const count = pliesTo(here).length;
    const turn = shown.over ?? (shown.due.length ? `${shown.due.join(" and ")} to move` : "no side can move now");
    told.textContent = `After ply ${count}: ${shown.score}; ${turn}.`;
    happened.replaceChildren(...shown.happened.map((one) => element("li", {}, one)));
    value();
    list();
  };

  /** Shows the values that an engine has left in the file, where it has. */
  const value = () => {
    curve.hidden = !shown.curve;
    if (!shown.curve) return;
    const { title: heading, svg, meaning, opinions } = shown.curve;
    const told = opinions.map(([word, text]) => element("li", {}, `${word}: ${text}`));
    curve.replaceChildren(
      element("h3", {}, heading),
      pictureOf(svg),
      element("p", {}, meaning),
      element("ul", { class: "happened" }, ...told),
    );
  };

  const go = (node, news) =>
    tried(async () => {
      here = node;
      kept = {};
      shown = null;
      outgoing.show("");
      await draw(news ?? `${titleOf(node)}.`);
    });

  const trial = async (text) => (await ask("try", { ...asked(), side: shown.side, move: text, view: seen() })).board;
  const read = (text) => ask("read", { ...asked(), side: shown.side, text });

  const made = ({ text }) =>
    tried(async () => {
      // The board is on its way to another place in the game.
      if (!shown) return;
      if (sealing.checked) {
        composer.update(shown, "The move waits to be sealed.");
        seal(text);
        return;
      }
      kept[shown.side] = text;
      if (shown.due.every((side) => side in kept)) {
        await play({ ...kept });
        return;
      }
      const said = `The move of ${shown.side} is kept, and not shown. Now the other side chooses.`;
      await draw(said);
      told.textContent = said;
    });

  const play = async (ply) => {
    const before = here;
    const known = before.children.length;
    const node = followed(before, ply);
    try {
      await keep();
    } catch (error) {
      if (before.children.length > known) cut(node);
      kept = {};
      throw error;
    }
    await go(node);
  };

  const moveButton = (node) => {
    const made = buttonOf(titleOf(node), () => go(node));
    if (node === here) made.setAttribute("aria-current", "step");
    return made;
  };

  const beside = (node) => others(node).map((one) => element("div", {}, "or", row(one)));

  /** The nodes of a line from one on, each with the variations that could stand in its place. */
  const row = (first) => {
    const nodes = mainLine(first);
    const rows = nodes.map((node, place) => [moveButton(node), ...(place ? beside(nodes[place - 1]) : [])]);
    const after = beside(nodes.at(-1));
    return element("ol", {}, ...[...rows, ...(after.length ? [after] : [])].map((one) => element("li", {}, ...one)));
  };

  const list = () => {
    moves.replaceChildren(row(lines));
    const at = pliesTo(here).length;
    back.disabled = first.disabled = !at;
    forward.disabled = last.disabled = !here.children.length;
    remove.disabled = main.disabled = !at;
  };

  const first = buttonOf("First", () => go(lines));
  const back = buttonOf("Previous", () => go(here.parent));
  const forward = buttonOf("Next", () => go(here.children[0]));
  const last = buttonOf("Last", () => go(mainLine(lines).at(-1)));
  const remove = buttonOf("Remove this ply and what follows", () =>
    tried(async () => {
      const before = cut(here);
      await keep();
      await go(before);
    }),
  );
  const main = buttonOf("Make this the main line", () =>
    tried(async () => {
      promote(here);
      await keep();
      await go(here);
    }),
  );

  const named = (suffix) => `${(game.id ?? game.game).replace(/[^A-Za-z0-9._-]+/g, "-")}.${suffix}`;
  const out = (words, form, type, suffix) =>
    buttonOf(words, () =>
      tried(async () => saveAs(named(suffix), type, (await ask("export", { file: game.file, form, view: seen() })).text)),
    );
  const publicFile = async () => (await ask("export", { file: game.file, form: "yaml" })).text;

  view.input.addEventListener("change", () => tried(() => draw("The view has changed.")));
  const shelf = element(
    "div",
    { class: "shelf", hidden: "" },
    title,
    element("div", { class: "buttons" }, first, back, forward, last),
    told,
    fault,
    place,
    happened,
    curve,
    element("label", { class: "switch" }, sealing, "Confirming seals the move for a letter, and does not play it"),
    view.root,
    element("details", { open: "" }, element("summary", {}, "Moves and variations"), moves),
    element("div", { class: "buttons" }, main, remove),
    element("h3", {}, "Take it with you"),
    element(
      "div",
      { class: "buttons" },
      buttonOf("Copy a link", () => tried(async () => outgoing.copy(await linkOf(await publicFile()), "The link"))),
      buttonOf("Copy the game as text", () => tried(async () => outgoing.copy(await publicFile(), "The text"))),
      out("Save the game file", "yaml", "text/yaml", "yaml"),
      out("Save the record as a page", "html", "text/html", "html"),
      out("Save the last board as SVG", "svg", "image/svg+xml", "svg"),
    ),
    outgoing.root,
  );
  root.append(shelf);

  return {
    /**
     * Shows a game file, or the move list of a game. `secret` is kept by the page as its referee, and `number`
     * identifies a game that was kept here.
     */
    async open(text, { name = "game", list: bare = null, secret = null, number = Date.now() } = {}) {
      const found = await ask("open", { text, name, game: bare });
      game = { ...found, secret, number };
      lines = linesOf(found.line, found.variations);
      const seats = Object.entries(found.players).map(([side, player]) => `${side}: ${player}`);
      title.textContent = [found.title, ...seats].join(" · ");
      shelf.hidden = false;
      await go(mainLine(lines).at(-1), `${found.title} is open.`);
      const sides = shown.sides.map((side) => element("option", { value: side }, side));
      view.input.replaceChildren(view.input.options[0], ...sides);
    },
  };
};
