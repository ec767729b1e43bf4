// A plan: moves of both seats, played ahead on the board. The desk keeps it sealed; this tab has no more than its draft.

import { compose } from "./composer/composer.js";
import { draftOf } from "./composer/draft.js";
import { element } from "./composer/elements.js";

const BRANCH = /^(?:if (.+) then|any then|else) (.+)$/;
const FACT = /^score [<>]=|^\S+ is (empty|lost)$/;
const PLAYING = "Play what may come, and your answer to it. Each answer is a line; press a line to go back to it.";
const BARE = " This game has no trials, so this board shows moves alone, and not what they do.";
const KEPT = "The desk keeps it sealed, and answers at once. No other player sees it.";

/** The lines of a text, each with its depth. */
const read = (text) => text.split("\n").filter((line) => line.trim()).map((line) => ({ depth: Math.ceil(line.search(/\S/) / 2), text: line.trim() }));

/**
 * The plan of a seat, in its card. `seat()` is what the desk says of the seat, `act(line)` does an act, `open()` and
 * `close()` begin and end the choosing on the board, and `focus()` tells whether the focus is in the box.
 */
export const planOf = ({ card, plate, box, ask, seat, names, game, act, open, close, isHeld }) => {
  const ways = Object.fromEntries([...card.querySelectorAll("[data-way]")].map((one) => [one.dataset.way, one]));
  const [told, heard, fault] = card.querySelectorAll("[role]");
  const [heading, list, field, asText] = ["h2", "ol", "textarea", "details"].map((name) => card.querySelector(name));
  let lines = [];
  let at = -1; // the line after which the board is; before all of them, it is the board of now
  let composer = null;
  let shown = {}; // what the desk says of the board
  let asked = new Map();
  let latest = 0;

  const draft = () => draftOf(`${game} ${seat().side} plan ${seat().turn}`);
  const others = () => Object.keys(names).filter((side) => side !== seat().side);
  const written = () => lines.map(({ depth, text }) => "  ".repeat(depth) + text).join("\n");
  const save = () => draft().write({ ids: [], typed: written() });

  const endOf = (index) => {
    const next = lines.findIndex(({ depth }, number) => number > index && depth <= (lines[index]?.depth ?? -1));
    return next < 0 ? lines.length : next;
  };
  const above = (index) => lines.findLastIndex(({ depth }, number) => number < index && depth < lines[index].depth);
  const pathTo = (index) => (index < 0 ? [] : [...pathTo(above(index)), rowOf(lines[index].text)]);

  /** The moves of a line by their sides, of alternatives the first; what is about the board, and not a move, has none. */
  const rowOf = (line) => {
    const [, terms = "", moves] = BRANCH.exec(line);
    const said = terms.split(/,? and /).filter((term) => term && !FACT.test(term)).map((term) => {
      const [side] = others().filter((one) => term.startsWith(`${one} `));
      return [side ?? others()[0], (side ? term.slice(side.length + 1) : term).split(" or ")[0]];
    });
    return { ...Object.fromEntries(said), [seat().side]: moves.split(" or ")[0] };
  };

  /** The board after some rows, and the moves of who moves next; the desk keeps nothing of it. */
  const after = (rows, by = "") => {
    const line = rows.map((row) => Object.entries(row).map((one) => one.join(" ")).join(" | ")).join("\n");
    const said = { side: seat().side, line, by, chosen: seat().chosen ?? "" };
    const name = JSON.stringify(said);
    if (!asked.has(name)) asked.set(name, ask("ahead", said));
    return asked.get(name);
  };

  /** The names on the board of another side, for the player of this one. */
  const turned = (tree, side) => {
    const of = (text) => text?.replaceAll("your ", "\n").replaceAll(`${seat().side}'s `, "your ").replaceAll("\n", `${names[side]}’s `);
    return { ...tree, targets: tree.targets.map((one) => ({ ...one, name: of(one.name), phrase: of(one.phrase) })) };
  };

  const button = (words, work) => {
    const one = element("button", { type: "button", class: "slim" }, words);
    one.onclick = work;
    return one;
  };

  const render = () => {
    const held = list.contains(document.activeElement);
    const item = (index, { depth, text }) => {
      const free = composer && (index < 0 || (BRANCH.test(text) && !/ stop$/.test(text)));
      const one = free ? button(text, () => step(index)) : element("span", {}, text);
      if (composer && index === at) one.setAttribute("aria-current", "true");
      const made = element("li", {}, one);
      made.style.setProperty("--depth", depth);
      return made;
    };
    list.replaceChildren(...(composer ? [item(-1, { depth: 0, text: "The board now" })] : []), ...lines.map((line, index) => item(index, line)));
    if (held) (list.querySelector("[aria-current]") ?? heading).focus({ preventScroll: true });
    const assumed = Object.entries(shown.assumed ?? {}).map(([side, move]) => ` For any move of ${names[side]}, this board has ${move}.`);
    told.textContent = composer ? [PLAYING, shown.full ? "" : BARE, ...assumed].join("") : KEPT;
    asText.hidden = !composer;
    for (const [way, one] of Object.entries(ways)) one.hidden = ["keep", "remove"].includes(way) !== Boolean(composer);
    ways.keep.disabled = !lines.length;
    ways.remove.disabled = at < 0;
    if (document.activeElement !== field) field.value = written();
    card.hidden = !composer && !lines.length;
  };

  /** Adds an answer below the line of the board, or goes to it if it is there; another answer to the same is replaced. */
  const add = (row, move) => {
    const [depth, end] = [at < 0 ? 0 : lines[at].depth + 1, endOf(at)];
    const below = lines.map((one, index) => index).filter((index) => index > at && index < end && lines[index].depth === depth && BRANCH.test(lines[index].text));
    const terms = Object.entries(row).filter(([, one]) => one).map(([side, one]) => (others().length > 1 ? `${side} ${one}` : one));
    const always = below.find((index) => !lines[index].text.startsWith("if "));
    const same = below.find((index) => BRANCH.exec(lines[index].text)[1] === (terms.join(" and ") || undefined));
    const text = `${terms.length ? `if ${terms.join(" and ")} then` : below.some((index) => index !== same) ? "else" : "any then"} ${move}`;
    if (lines[same]?.text === text) return step(same);
    const place = same ?? (terms.length ? (always ?? end) : end);
    lines.splice(place, same === undefined ? 0 : endOf(same) - same, { depth, text });
    save();
    heard.textContent = `Line ${place + 1}: ${text}`;
    return step(place);
  };

  const labelOf = (who, row) => {
    const known = Object.entries(row).filter(([, one]) => one).map(([side, one]) => `${names[side]} plays ${one}`);
    if (!who) return "This line ends here";
    if (who !== seat().side) return `If ${[...known, `${names[who]} plays …`].join(" and ")}`;
    return known.length ? `If ${known.join(" and ")}, you play …` : seat().ply ? "Then you play …" : "Whatever comes, you play …";
  };

  /** Goes to the board after a line, with the moves of the others that are chosen for the next one. */
  const step = async (index, row = {}, by = "") => {
    const mine = (latest += 1);
    fault.textContent = "";
    const rows = pathTo(index);
    const data = await after([...rows, row], by).catch((error) => {
      asked = new Map();
      if (!composer) throw error;
      fault.textContent = error.message;
    });
    if (!data || mine !== latest) return false;
    const { side: who, tree, board } = data;
    const own = who === seat().side;
    const held = isHeld();
    composer?.end();
    at = index;
    shown = data;
    const free = own && seat().ply && !Object.keys(row).length ? button("Only if …", () => step(index, {}, others()[0])) : null;
    const any = who && !own ? button("Any move", () => step(index, seat().ply ? {} : { ...row, [who]: "" })) : null;
    const with_ = (move) => ({ ...row, [who]: move });
    composer = compose({ plate, box }, { tree: own || !who ? tree : turned(tree, who), board }, {
      key: "",
      title: labelOf(who, row),
      label: () => (own ? "Then I play this" : `If ${names[who]} plays this`),
      preview: async (move) => (await after(own ? [...rows, with_(move), {}] : [...rows, with_(move)])).board,
      below: [any, free, button("Close", close)].filter(Boolean),
      confirm: ({ text }) => (own ? add(row, text) : step(index, with_(text))),
    });
    render();
    if (held) composer.heading().focus({ preventScroll: true });
    return true;
  };

  /** Sends a plan, or takes it back. */
  const send = async (line) => {
    fault.textContent = "";
    try {
      await act(line);
      draft().clear();
      seat().plan = line === "plan off" ? null : written();
      close();
      if (!card.hidden) heading.focus({ preventScroll: true });
    } catch (error) {
      fault.textContent = error.message;
    }
  };
  ways.keep.onclick = () => send(`plan\n${written()}`);
  ways.off.onclick = () => send("plan off");
  ways.change.onclick = () => open();
  ways.remove.onclick = () => {
    const [gone, up] = [at, above(at)];
    lines.splice(gone, endOf(gone) - gone);
    save();
    step(up);
  };
  field.oninput = () => {
    lines = read(field.value);
    save();
    step(-1);
  };

  /** Shows the plan that the desk keeps, unless one is being made. */
  const show = () => {
    if (composer) return;
    lines = read(seat().plan ?? "");
    render();
    ways.change.hidden = !(seat().acts ?? []).includes("plan");
  };

  return {
    show,
    heading: () => composer.heading(),

    /** Begins on the board of now, with the draft or the plan that the desk keeps; promises false without a board. */
    begin() {
      lines = read(draft().read().typed || (seat().plan ?? ""));
      asked = new Map();
      return step(-1);
    },
    end() {
      latest += 1;
      composer?.end();
      composer = null;
      show();
    },
  };
};
