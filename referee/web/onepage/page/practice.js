// One game against engines: its board, what they have sealed and answered, and what one can ask them.

import { compose } from "../../../draw/templates/composer/composer.js";
import { element } from "../../../draw/templates/composer/elements.js";
import { paintOf } from "./paint.js";
import { buttonOf, saveAs, triedIn } from "./paper.js";
import { trialsOf } from "./trials.js";

const AWAITED = {
  own: "It is your move.",
  engines: "The engine thinks.",
  seals: "The engine thinks, and seals its move before you choose yours.",
};

/**
 * A practice in an element; `changed()` is called when the kept practices have changed, and `study(file)` opens a
 * game on the other board.
 */
export const practiceOf = (root, { ask, practices, changed, study }) => {
  const paint = paintOf(root);
  let told = null;
  let number = 0;
  let board = null;
  let composer = null;
  let busy = false;
  let latest = 0;

  const title = element("h3", { class: "title" });
  const turn = element("p", { class: "turn", tabindex: "-1" });
  const promises = element("ul", { class: "happened promises", "aria-label": "What is sealed" });
  const news = element("ul", { class: "happened" });
  const fault = element("p", { class: "fault", role: "alert" });
  const place = element("section", { class: "composer", "aria-label": "Choose a move against the engine" });
  const advice = element("ul", { class: "happened advice" });
  const moves = element("ol", { class: "plies" });

  const rows = (texts) => texts.map((text) => element("li", {}, text));
  const position = () => ({ file: told.kept.file, plies: told.line, side: told.kept.side, view: told.kept.side });

  const tried = triedIn(fault);

  const { preview, judge } = trialsOf(ask, position);

  const label = () => {
    if (!board || !told) return;
    turn.textContent = board.over ? `The game is over: ${board.over}.` : AWAITED[told.due];
    shelf.setAttribute("aria-busy", String(busy));
    for (const one of asking) one.disabled = busy;
    hint.disabled = busy || told.due !== "own";
    why.disabled = busy || !told.line.length;
    undo.disabled = busy || !told.moved;
    claim.hidden = !told.claims;
    resigning.hidden = told.due === "over";
  };

  /** Shows the state of the practice, and keeps it; `heard` is announced with the new board. */
  const show = async (next, heard) => {
    const grown = told && next.line.length > told.line.length;
    told = next;
    await practices.keep({ number, title: told.title, plies: told.line.length, kept: told.kept });
    board = await ask("show", { ...position(), chooses: told.due === "own" });
    if (told !== next) return; // another game was opened meanwhile
    paint(board.style);
    if (composer) composer.update(board, heard);
    else composer = compose(place, board, { key: "engine", confirm, preview, judge });
    title.textContent = told.title;
    promises.replaceChildren(...rows(told.promises));
    news.append(...rows([...told.said, ...(grown ? board.happened : [])]));
    moves.replaceChildren(...rows(told.line.map((ply) => Object.values(ply).join(" | "))));
    score.textContent = board.score;
    shelf.hidden = false;
    label();
    changed();
  };

  /** Does one thing at a time; work for a game that is no longer shown ends: then `going()` is false. */
  const alone = async (act) => {
    if (busy) return false;
    const mine = (latest += 1);
    busy = true;
    label();
    try {
      return await tried(() => act(() => mine === latest));
    } finally {
      if (mine === latest) {
        busy = false;
        label();
      }
    }
  };

  /** Does something in the game, and then lets the engines move until it is the person's turn. */
  const go = async (call, asked) => {
    const done = await alone(async (going) => {
      let next = await ask(call, asked);
      for (const one of [news, advice]) if (going()) one.replaceChildren();
      while (going()) {
        await show(next, AWAITED[next.due] ?? "The game is over.");
        if (!["engines", "seals"].includes(next.due)) break;
        next = await ask("practice-think", { kept: next.kept });
      }
    });
    // Where the button that was pressed is gone, what comes next is below.
    const focused = document.activeElement;
    if (told && (focused === document.body || focused.disabled || !focused.checkVisibility())) turn.focus();
    return done;
  };

  const change = (call, asked = {}) => go(call, { kept: told.kept, ...asked });
  const confirm = async ({ text }) => {
    const done = await change("practice-play", { text });
    if (!done) composer.update(board, "The move was not made.");
    else if (place.contains(document.activeElement)) turn.focus();
  };
  const question = (words, call) =>
    buttonOf(words, () =>
      alone(async (going) => {
        advice.replaceChildren(...rows(["The engine thinks."]));
        const { said } = await ask(call, { kept: told.kept });
        if (going()) advice.replaceChildren(...rows(said));
      }),
    );

  const hint = question("Give me a hint", "practice-hint");
  const why = question("Why this move?", "practice-why");
  const undo = buttonOf("Take my last move back", () => change("practice-undo"));
  const claim = buttonOf("Claim a draw by repetition", () => change("practice-end", { how: "repetition" }));
  const resign = buttonOf("Yes, I give up", () => change("practice-end", { how: "resignation" }));
  const resigning = element("details", {}, element("summary", {}, "Give up"), resign);
  const score = element("p", { class: "score" });

  const named = (suffix) => `${told.game}.${suffix}`;
  const out = (words, form, type, suffix) =>
    buttonOf(words, () =>
      tried(async () => {
        const { text } = await ask("export", { file: told.kept.file, form, view: told.kept.side });
        saveAs(named(suffix), type, text);
      }),
    );
  const forget = buttonOf("Forget this game", () => {
    practices.forget(number);
    latest += 1;
    busy = false;
    told = null;
    shelf.hidden = true;
    changed();
  });
  const asking = [claim, resign, forget];
  const shelf = element(
    "div",
    { class: "practice", hidden: "" },
    title,
    turn,
    promises,
    fault,
    element("div", { role: "status" }, news),
    score,
    place,
    element("div", { class: "buttons" }, hint, why, undo, claim),
    element("div", { role: "status" }, advice),
    resigning,
    element("details", {}, element("summary", {}, "Moves so far"), moves),
    element("h3", {}, "Take it with you"),
    element(
      "div",
      { class: "buttons" },
      out("Save the game file", "yaml", "text/yaml", "yaml"),
      out("Save the record as a page", "html", "text/html", "html"),
      buttonOf("Study it on the board", () => study(told.kept.file)),
      forget,
    ),
  );
  root.append(shelf);

  return {
    /** Shows another practice: `call` gives it, and `kept` is the number under which it is kept already. */
    async open(call, asked, kept = Date.now()) {
      const next = await ask(call, asked);
      latest += 1;
      busy = false;
      told = next;
      number = kept;
      await go("practice-keep", { kept: next.kept });
    },
  };
};
