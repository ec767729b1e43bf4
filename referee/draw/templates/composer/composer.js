// Choosing a move: step by step on the board, or typed; then a sentence, the notation, the board after it; then the one
// button that sends it.

import { draftOf } from "./draft.js";
import { element } from "./elements.js";
import { entryOf } from "./entry.js";
import { whenStill } from "./stillness.js";
import { surfaceOf } from "./surface.js";
import { judgeBy, treeOf } from "./tree.js";

/** Milliseconds after a choice in which a second touch does not send it. */
const SOON = 400;

/** A plate and a box in an empty element, for pages that have no places for them. */
const within = (root) => {
  const [plate, box] = [element("div", { class: "plate surface" }), element("div", { class: "box" })];
  root.append(plate, box);
  return { plate, box };
};

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The name of a question's answers, to take one back: "a piece" makes "Other piece". */
const other = (ask) => (/^(a|an|its|the) [\w-]+$/.test(ask) ? `Other ${ask.split(" ")[1]}` : "Back");

/**
 * A board to choose a move on, in an empty element, or in `{plate, box}`: the board's place and that of what to do.
 *
 * `data` is `{tree, board}`: a tree of choices, and a position as `{svg, text, legend, facts}`. Of the rest,
 * `confirm({text, sentence})` is needed; it makes the move. `label(text)` is the name of its button, `title` the heading
 * while nothing is chosen, and `ahead` what is above the choices. `changed()` is called when another move is chosen.
 * `preview(text)` resolves to the position after the move, or null; `judge(text)` judges typed text, by default only by
 * the list of moves; `effect(position)` is what to say of that position. The draft is kept in this tab under `key`.
 */
export const compose = (root, data, { key, confirm, changed, preview, judge, effect, label, title = "Your move", ahead = [], below = [] }) => {
  const alone = root instanceof Element;
  const { plate, box } = alone ? within(root) : root;
  let { tree: source, board } = data;
  let tree = treeOf(source);
  let path = [];
  let typedMove = null;
  let chosenAt = 0;
  const draft = draftOf(key);

  const heading = element("h2", { tabindex: "-1" });
  const sentence = element("h2", { class: "sentence", tabindex: "-1" });
  const state = element("p", { class: "state say", role: "status" });
  const notation = element("output", { class: "notation move" });
  const after = element("span");
  const review = element("p", { class: "review say" }, notation, " ", after);
  const heard = element("p", { class: "unseen", role: "status" });
  const undo = element("button", { type: "button", class: "slim" }, "Back");
  const afresh = element("button", { type: "button" }, "Change");
  const list = element("ul", { class: "list dock", "aria-label": "More choices" });
  const typed = element("div");
  const typing = element("details", { class: "typing", ...(alone ? { open: "" } : {}) }, element("summary", {}, "Type the move"), typed);
  const words = element("pre", { class: "words small" });
  const done = element("button", { type: "button", class: "confirm primary", disabled: "" });
  const sends = element("p", { class: "send" }, done, afresh);
  const told = element("details", { class: "aside" }, element("summary", {}, "The board in words"), words);
  const signs = element("p", { class: "small" });
  const meaning = element("details", {}, element("summary", {}, "What the signs mean"), signs);
  box.append(
    heading,
    sentence,
    ...ahead,
    state,
    review,
    list,
    sends,
    element("div", { class: "row" }, undo, typing, told, ...below),
    ...(alone ? [meaning] : []),
    heard,
  );

  const say = (text) => (heard.textContent = text);
  const namesOf = (numbers) => numbers.map((number) => tree.targets[number].phrase ?? tree.targets[number].text);

  const keep = (text = "") => {
    const ids = path.map((number) => tree.targets[number].id);
    if (ids.length || text) draft.write({ ids, typed: text });
    else draft.clear();
  };

  const picture = (position) => {
    surface.show(position.svg, position !== board);
    words.textContent = position.text;
    signs.textContent = position.legend;
    meaning.hidden = !position.legend;
    after.textContent = position === board ? "" : (effect?.(position) ?? "");
    // Beside other boards, the words of this one are on the page already.
    told.hidden = !alone && position === board;
  };

  let looked = 0;
  const look = async (move) => {
    const number = (looked += 1);
    const seen = move && preview ? await preview(move.text).catch(() => null) : null;
    // Somebody may have gone back while the picture was on its way.
    whenStill(() => number === looked && picture(seen ?? board));
  };

  const moveNow = () => typedMove ?? tree.move(path);

  const offer = () => {
    const { choices } = tree.step(path);
    const beside = surface.offer(path, choices);
    list.hidden = !beside.length;
    list.replaceChildren(
      ...beside.map((number) => {
        const button = element("button", { type: "button" }, tree.targets[number].name);
        button.addEventListener("click", (event) => choose(number, event.detail === 0));
        return element("li", {}, button);
      }),
    );
  };

  const tell = () => {
    const move = moveNow();
    const { ask, choices } = tree.step(path);
    heading.textContent = path.length ? capital(namesOf(path).join(", ")) : title;
    heading.hidden = Boolean(move);
    sentence.textContent = move?.sentence.replace(/\.$/, "") ?? "";
    sentence.hidden = !move;
    const wanted = choices.length ? `${move ? "You can also choose" : "Choose"} ${ask}.` : "";
    state.textContent = wanted || (move ? "" : `${capital(source.side)} has nothing to choose now.`);
    state.hidden = !state.textContent;
    notation.textContent = move?.text ?? "";
    review.hidden = sends.hidden = !move;
    done.disabled = !move;
    done.textContent = label?.(notation.textContent) ?? "Confirm this move";
    undo.hidden = !path.length || Boolean(move);
    typing.hidden = !alone && Boolean(move);
    undo.textContent = path.length ? other(tree.step(path.slice(0, -1)).ask) : "Back";
    for (const one of ahead) one.hidden = Boolean(path.length || move);
  };

  const render = () => {
    const move = moveNow();
    tell();
    if (move) entry.set(move.text);
    offer();
    look(move);
  };

  const go = (next) => {
    path = next;
    typedMove = null;
    chosenAt = performance.now();
    say("");
    keep();
    changed?.();
    render();
  };

  const choose = (number, byKeyboard) => {
    go([...path, number]);
    if (!byKeyboard) return;
    if (tree.move(path)) sentence.focus({ preventScroll: true });
    else if (surface.places().some((place) => place.open)) surface.focus();
    else list.querySelector("button")?.focus();
  };

  const back = () => {
    if (!path.length && !typedMove) return;
    const held = box.contains(document.activeElement);
    entry.set("");
    go(typedMove ? [] : path.slice(0, -1));
    if (held || document.activeElement === document.body) surface.focus();
  };

  const surface = surfaceOf(plate, { choose, back, say, resized: () => offer() });
  const renew = () => {
    surface.renew(source);
    picture(board);
  };

  renew();
  const entry = entryOf(typed, {
    judge: (text) => (judge ?? judgeBy(tree))(text),
    like: (text, most) => tree.like(text, most),
    typed: (text) => {
      if (path.length || typedMove) go([]);
      keep(text);
    },
    take: (text) => {
      const move = tree.find(text);
      go(move?.path ?? []);
      // A move may be legal and in no list, because another one comes to the same.
      if (!move) {
        typedMove = { text, sentence: text };
        keep(text);
        render();
      }
      if (!alone) typing.open = false;
      sentence.focus({ preventScroll: true });
    },
  });
  undo.addEventListener("click", () => back());
  afresh.addEventListener("click", () => back());
  const escape = (event) => {
    if (event.key === "Escape" && !event.target.matches("input")) back();
  };
  for (const one of [plate, box]) one.addEventListener("keydown", escape);
  done.addEventListener("click", async () => {
    const move = moveNow();
    if (!move || performance.now() - chosenAt < SOON) return;
    // A disabled button would lose the focus.
    if (document.activeElement === done) sentence.focus({ preventScroll: true });
    done.disabled = true;
    try {
      if ((await confirm({ text: move.text, sentence: move.sentence })) !== false) draft.clear();
      else done.disabled = !moveNow();
    } catch (error) {
      done.disabled = false;
      throw error;
    }
  });

  const restore = () => {
    const { ids, typed: text } = draft.read();
    path = tree.pathOf(ids);
    typedMove = null;
    if (text) entry.set(text);
    render();
    if (!ids.length && !text) return "";
    return path.length === ids.length ? "Your draft is kept." : "Choose again from here.";
  };
  restore();

  return {
    /** The game went on: the draft stays, as far as it is still legal. With `news`, it is another board: it ends. */
    update(next, news = "") {
      whenStill(() => {
        if (news) {
          draft.clear();
          entry.set("");
        }
        const wentOn = next.board.svg !== board.svg;
        ({ tree: source, board } = next);
        tree = treeOf(source);
        // A touch that was meant for the board before does not send on this one.
        chosenAt = performance.now();
        renew();
        entry.refresh();
        const kept = restore();
        say(news || (wentOn ? `The game went on. ${kept}` : kept));
      });
    },

    /** Goes back to the first step. */
    clear: () => go([]),

    heading: () => (heading.hidden ? sentence : heading),

    /** Takes everything away, and leaves the draft. */
    end() {
      surface.end();
      for (const one of [plate, box]) one.removeEventListener("keydown", escape);
      box.replaceChildren();
    },
  };
};
