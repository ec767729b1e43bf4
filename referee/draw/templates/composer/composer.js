// Choosing a move: step by step on the board, or typed; then a sentence, the notation, the board after it; then a
// button, at a place where nothing else ever is.

import { draftOf } from "./draft.js";
import { element } from "./elements.js";
import { entryOf } from "./entry.js";
import { whenStill } from "./stillness.js";
import { surfaceOf } from "./surface.js";
import { judgeBy, treeOf } from "./tree.js";

/** Milliseconds after a choice in which a second touch does not confirm it. */
const SOON = 400;

/**
 * A board to choose a move on, in an empty element.
 *
 * `data` is `{tree, board}`: a tree of choices, and a position as `{svg, text, legend, facts}`. Of the rest,
 * `confirm({text, sentence})` is needed; if it resolves to `false`, the move is not made yet, and the draft is kept.
 * When the page is loaded again, it gets the same move once more, with `again`. `changed()` is called when another move
 * is chosen, so that the confirmed one is no longer meant. `preview(text)` resolves to the position after the move, or
 * null; `judge(text)` judges typed text, by default only by the list of moves. The draft is kept in this tab under `key`.
 */
export const compose = (root, data, { key, confirm, changed, preview, judge }) => {
  let { tree: source, board } = data;
  let tree = treeOf(source);
  let path = [];
  let typedMove = null;
  let chosenAt = 0;
  let confirmed = false; // and not made yet
  const draft = draftOf(key);

  const state = element("p", { class: "state", role: "status" });
  const heard = element("p", { class: "unseen", role: "status" });
  const undo = element("button", { type: "button" }, "Back");
  const afresh = element("button", { type: "button" }, "Start over");
  const larger = element("button", { type: "button", "aria-label": "Larger board" }, "+");
  const smaller = element("button", { type: "button", "aria-label": "Smaller board" }, "\u2212");
  const show = element("div", { class: "surface" });
  const list = element("ul", { class: "list", "aria-label": "Choices beside the board" });
  const typed = element("div");
  const sentence = element("p", { class: "sentence", tabindex: "-1" });
  const notation = element("output", { class: "notation" });
  const words = element("pre", { class: "words" });
  const done = element("button", { type: "button", class: "confirm", disabled: "" }, "Confirm this move");
  const told = element("details", {}, element("summary", {}, "The board in words"), words);
  const signs = element("p");
  const meaning = element("details", {}, element("summary", {}, "What the signs mean"), signs);
  root.append(
    element("div", { class: "tools" }, undo, afresh, larger, smaller),
    state,
    show,
    element("div", { class: "side" }, list, typed, element("div", { class: "review" }, sentence, notation), done, told, meaning),
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
    surface.offer(path, choices);
    const beside = choices.filter((number) => !tree.targets[number].place);
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
    const chosen = path.length ? `Chosen: ${namesOf(path).join(", ")}. ` : "";
    const wanted = choices.length ? `${move ? "You can also choose" : "Choose"} ${ask}.` : "";
    const none = path.length || choices.length ? "" : `${source.side} has nothing to choose now.`;
    const todo = confirmed ? "This move is confirmed. " : move ? "Look at the move, then confirm it. " : "";
    state.textContent = `${chosen}${todo}${wanted}${none}`;
    done.disabled = !move || confirmed;
  };

  const render = () => {
    const move = moveNow();
    tell();
    undo.disabled = afresh.disabled = !path.length && !typedMove;
    sentence.textContent = move?.sentence ?? "";
    notation.textContent = move?.text ?? "";
    if (move) entry.set(move.text);
    offer();
    look(move);
  };

  const go = (next) => {
    path = next;
    typedMove = null;
    confirmed = false;
    chosenAt = performance.now();
    say("");
    keep();
    changed?.();
    render();
  };

  const choose = (number, byKeyboard) => {
    go([...path, number]);
    if (!byKeyboard) return;
    if (tree.move(path)) sentence.focus();
    else if (surface.places().some((place) => place.open)) surface.focus();
    else list.querySelector("button")?.focus();
  };

  const back = () => {
    if (undo.disabled) return;
    entry.set("");
    go(path.slice(0, -1));
    if (document.activeElement === document.body || undo.disabled) surface.focus();
  };

  const surface = surfaceOf(show, { choose, back, say, hint: (text) => (state.textContent = text) });
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
      sentence.focus();
    },
  });
  undo.addEventListener("click", back);
  afresh.addEventListener("click", () => {
    entry.set("");
    go([]);
    surface.focus();
  });
  larger.addEventListener("click", () => surface.enlarge(1));
  smaller.addEventListener("click", () => surface.enlarge(-1));
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.target.matches("input")) back();
  });
  done.addEventListener("click", async () => {
    const move = moveNow();
    if (!move || performance.now() - chosenAt < SOON) return;
    // A disabled button would lose the focus.
    if (document.activeElement === done) sentence.focus();
    done.disabled = true;
    try {
      if ((await confirm({ text: move.text, sentence: move.sentence })) !== false) draft.clear();
      else if (moveNow()?.text === move.text) {
        confirmed = true;
        draft.write({ ...draft.read(), confirmed });
        tell();
      }
    } catch (error) {
      done.disabled = false;
      throw error;
    }
  });

  const restore = () => {
    const { ids, typed: text, confirmed: was } = draft.read();
    path = tree.pathOf(ids);
    typedMove = was && !ids.length ? { text, sentence: text } : null;
    confirmed = Boolean(was && moveNow()) && path.length === ids.length;
    if (text) entry.set(text);
    render();
    if (!ids.length && !text) return "";
    return path.length === ids.length ? "Your draft is kept." : "Choose again from here.";
  };
  restore();
  if (confirmed) {
    const { text, sentence: words } = moveNow();
    confirm({ text, sentence: words, again: true });
  }

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
        // A touch that was meant for the board before does not confirm on this one.
        chosenAt = performance.now();
        renew();
        entry.refresh();
        const kept = restore();
        say(news || (wentOn ? `The game went on. ${kept}` : kept));
      });
    },
  };
};
