// The page of a game for one of its players: what to do, the board to choose on, and all that can be done besides.
//
// A paired browser plays in all its seats. The link of a letter has a seat behind `#`: its side, the turn of its key,
// and the key. A browser never sends this part by itself.

import { actsOf } from "./acts.js";
import { compose } from "./composer/composer.js";
import { element } from "./composer/elements.js";
import { pictureOf } from "./composer/picture.js";
import { judgeBy, treeOf } from "./composer/tree.js";
import { copied, keptLine } from "./kept.js";
import { newsFor } from "./news.js";
import { readAs, renew } from "./pages.js";
import { planOf } from "./plan.js";
import { forgetEarlier, keptReveal, meansToSeal, sealMove } from "./sealing.js";
import { seatAt, sentence } from "./seat.js";
import { sendingOf } from "./sending.js";
import { showNewest } from "./steps.js";

const source = document.getElementById("seat");
const { address, mailbox, submits } = source.dataset;
const { game } = document.getElementById("main").dataset;
const names = JSON.parse(source.dataset.players);
const [turnBox, plate] = ["turn", "plate"].map((id) => document.getElementById(id));
const pageOf = () => document.getElementById("moves").dataset;
const ask = seatAt(address);
const AGAIN = 5000;
const LATE = ["page-key", "already-bound", "not-your-turn"];

/** The seat that the page was opened for; null if there is none. The page repeats no text of a link. */
const seatOf = (hash) => {
  const [, named, from, key] = /^#(.+)-([0-9]+)-([a-z2-7]{16})$/.exec(hash) ?? [];
  const side = Object.keys(names).find((one) => new URL(`#${one}`, location).hash === `#${named}`);
  return side ? { side, from: Number(from), key } : null;
};

let link = seatOf(location.hash);
let seat = null; // what the desk says of the seat
let composer = null;
let composed = ""; // what the composer was made for
let made = ""; // the move that this page has sent in this turn
let panel = null;
let sending = null;
let kept = null;
let planner = null;
let late = ""; // a move that came after another one of the same player

const parts = {}; // what the box shows one of: the state of the game, the choice, something told, or a form
const heading = element("h2", { tabindex: "-1" });
const text = element("div", { class: "say", role: "status" });
const row = element("div", { class: "row" });

const called = (side) => (side === seat?.side ? "You" : names[side]);
const others = () => Object.keys(names).filter((side) => side !== seat.side);
const joined = (all) => [all.slice(0, -1).join(", "), all.at(-1)].filter(Boolean).join(" and ");
const isHeld = () => turnBox.contains(document.activeElement) || document.activeElement === document.body;

/** Shows one part of the box; what has the focus does not lose it. */
const only = (shown, tone = "yours") => {
  const held = turnBox.contains(document.activeElement);
  for (const [name, part] of Object.entries(parts)) part.hidden = name !== shown;
  turnBox.className = `card turn ${tone}`;
  const lost = held && (document.activeElement === document.body || !document.activeElement.checkVisibility());
  if (lost) (shown === "play" ? composer.heading() : heading).focus({ preventScroll: true });
};

/** A button or a link of the box. */
const button = (words, act, kind = "slim") => {
  const one = element("button", { type: "button", class: kind }, words);
  one.onclick = act;
  return one;
};
const linkTo = (words, href, kind = "slim") => element("a", { class: `button ${kind}`, href }, words);
const move = (notation) => element("span", { class: "move" }, notation);

/** Tells something in the box, with what can be done. */
const tell = (title, says, buttons = [], tone = "") => {
  const held = turnBox.contains(document.activeElement);
  heading.textContent = title;
  const lost = late ? [element("p", { role: "alert" }, "Another move came first, so ", move(late), " was not made.")] : [];
  text.replaceChildren(...lost, ...says);
  row.replaceChildren(...buttons);
  only("told", tone);
  if (held && document.activeElement === document.body) heading.focus({ preventScroll: true });
};

const nextGame = (kind = "slim quiet") => (seat.next ? [linkTo("Next game", seat.next.link, kind)] : []);

const newsOf = () => {
  const rows = newsFor(seat.side, seat.followed).map(({ by, move: played, after, planned }) =>
    element("li", {}, element("b", {}, planned ? "Your plan" : called(by)), " ", element("span", {}, after ? "answered " : "played ", move(played))),
  );
  return element("ul", { class: "news small" }, ...rows);
};

/** The address of a letter with a line: that of the seat, which the desk believes only from its own player. */
const letter = (line) => {
  const [local, domain] = mailbox.split("@");
  const to = `${encodeURIComponent(`${local}+${game}.${seat.key}`)}@${domain}`;
  return `mailto:${to}?subject=${encodeURIComponent(`[${game}]`)}&body=${encodeURIComponent(`${line}\n`)}`;
};

const asked = async (name, options = {}) => {
  const answer = await fetch(`${address}/${name}?${new URLSearchParams({ side: seat.side })}`, options).catch(() => null);
  return answer?.ok ? answer.json() : null;
};
const trial = (line) => asked("trial", { method: "POST", body: line });

/** Shows the board as it will be by one's own move, to its player alone. */
const showOwn = async (line) => {
  const { board } = (await trial(line)) ?? {};
  if (!board || made !== line || composer) return;
  plate.querySelector(":scope > svg.scene")?.remove();
  plate.append(pictureOf(board.svg));
  plate.classList.add("choosing");
};
const showPublic = () => {
  plate.querySelector(":scope > svg.scene")?.remove();
  plate.classList.remove("choosing");
};

/** Ends the choosing; the draft stays. */
const stop = () => {
  const held = isHeld() && composer;
  composer?.end();
  composer = null;
  composed = "";
  showPublic();
  if (held) parts.told.hidden = false, heading.focus({ preventScroll: true });
};

const seal = {}; // the box for sealing, where there is one
const sealsNow = () => !seal.box.hidden && seal.input.checked;

/** Sends a move that was chosen; promises false if it is not made. */
const make = async (line, round) => {
  const sealed = sealsNow() ? await sealMove(seat.ply, line) : null;
  const sent = sealed ? sealed.seal : line;
  if (!submits) return offerByMail(`${round}. ${line}`);
  if (sealed) kept.show(sealed.reveal, sealed.kept);
  try {
    const done = await sending.send(sent, { label: `Send move ${line}`, mail: letter(sealed ? sent : `${round}. ${line}`) });
    if (!done) return false;
    made = line;
    if (sealed?.kept) kept.fold();
    tell(sealed || seat.ply ? "Your move is sealed" : "Your move is in", [element("p", {}, "You played ", move(line), ".")]);
    renew().catch(() => {});
    return true;
  } catch (error) {
    if (LATE.includes(error.code)) {
      late = line;
      tell("Your move was not made", []);
      renew().catch(() => {});
      return true;
    }
    if (error.code === "not-paired") seat.paired = false;
    if (sealed) kept.hide();
    tell("That move was not made", [element("p", { role: "alert" }, move(line), ` ${error.message}`)], [button("Choose again", () => only("play"), "primary")], "yours bad");
    return false;
  }
};

/** Offers a line for a letter, where the desk takes no moves on its page. */
const offerByMail = (line) => {
  const write = linkTo("Write the mail", letter(line), "primary");
  const status = element("span", { role: "status" });
  const copy = button("Copy", async () => (status.textContent = await copied(line)));
  copy.hidden = !navigator.clipboard; // browsers give it only to pages that came over HTTPS
  const share = button("Share", () => navigator.share({ text: line }).catch(() => {}));
  share.hidden = !navigator.share;
  const says = [element("p", {}, element("output", { class: "move" }, line)), element("p", { class: "small" }, "It counts once the desk has your letter, from your own address.")];
  tell("Mail this line", says, [write, copy, share, button("Back", () => only("play")), status], "yours");
  write.focus();
  return false;
};

/** Does an act other than a move; promises what came of it. */
const act = async (line) => {
  const { done, link: next } = await sending.post(line);
  if (next) location.assign(next);
  renew().catch(() => {});
  return done;
};

/** A button of the box that does an act. */
const doer = (words, line, kind) =>
  button(words, async ({ target }) => {
    if (target.ariaDisabled === "true") return;
    target.ariaDisabled = "true"; // a disabled button would lose the focus
    const fault = await act(line).then(() => "", (error) => error.message);
    if (fault) target.after(element("span", { role: "alert" }, ` ${fault}`));
    target.ariaDisabled = "false";
  }, kind);

const claims = () => (seat.acts ?? []).filter((one) => one.startsWith("claim")).map((line) =>
  doer(line === "claim timeout" ? "Claim the game" : `Claim: ${line.slice(6)}`, line, line === "claim timeout" ? "primary" : "slim"));

/** What an offer of another side asks for. */
const answers = () =>
  seat.offer && seat.offer.by !== seat.side
    ? [element("div", { class: "row" }, doer("Accept: draw", "accept draw", "primary"), doer("Decline", "decline draw", ""), element("span", { class: "small soft" }, seat.owes ? "Or move: that declines it." : ""))]
    : [];

/** Has the player choose a move. */
const choose = async (changed) => {
  const wanted = `${seat.turn} ${seat.offer?.by ?? ""} ${seat.key}`;
  if (composed === wanted) return only("play");
  const data = await asked("choices");
  if (data?.turn !== seat.turn) return tell("No connection", [element("p", {}, "The desk cannot be reached now. This page goes on by itself.")]) ?? setTimeout(refresh, AGAIN);
  const { side, turn } = seat;
  stop();
  late = "";
  composed = wanted;
  const alone = judgeBy(treeOf(data.tree)); // asks nobody
  const judgeAlone = async (line) => {
    const found = await alone(line);
    return found.message ? { ...found, message: `${found.message}; sealed moves are compared with the list of legal moves alone` } : found;
  };
  seal.box.hidden = !(seat.ply && crypto.subtle && submits);
  const meaning = meansToSeal(`${game} ${side} ${turn}`);
  seal.input.checked = !seal.box.hidden && meaning.read();
  seal.input.onchange = () => {
    meaning.write(seal.input.checked);
    composer.clear();
  };
  plate.classList.add("choosing");
  showNewest();
  const held = isHeld();
  const title = changed ? "The position has changed" : answers().length ? `${names[seat.offer.by]} offers a draw` : "Your move";
  composer = compose({ plate, box: parts.play }, data, {
    key: `${game} ${side} ${turn}`,
    title,
    label: () => (!submits ? "Send it by mail" : seat.ply ? "Seal and send" : "Send move"),
    ahead: [newsOf(), ...(seat.spent ? [element("p", { class: "small" }, "Your plan has no answer to that, and is over.")] : []), ...answers(), ...(claims().length ? [element("div", { class: "row" }, ...claims())] : []), ...nextGame()],
    preview: async (line) => (sealsNow() ? null : ((await trial(line))?.board ?? null)),
    judge: async (line) => (sealsNow() ? judgeAlone(line) : ((await trial(line)) ?? { column: 1, message: "the desk cannot judge this now" })),
    effect: ({ facts: { score } }) => {
      if (!score || others().length > 1 || !(side in score)) return "";
      const then = `Then ${score[side]} : ${score[others()[0]]}`;
      return seat.ply ? `${then}, if ${names[others()[0]]}’s move changes nothing.` : `${then}.`;
    },
    below: [seal.box],
    changed: () => kept.hide(),
    confirm: ({ text: line }) => make(line, data.round),
  });
  only("play");
  if (held) composer.heading().focus({ preventScroll: true });
};

/** Names of the sides that the game waits for, and until when. */
const waitingFor = () => {
  const due = pageOf().movers.split(" ").filter((side) => side && side !== seat.side);
  const until = due.map((side) => document.querySelector(`[data-seat="${CSS.escape(side)}"] time`)?.title).find(Boolean);
  return { who: joined(due.map(called)), until: until ? `, ${until}` : "" };
};

/** Has the player plan ahead, on a board of their own. */
const plan = async () => {
  const { turn } = seat;
  const begun = await planner.begin().catch((error) => row.append(element("span", { class: "small", role: "alert" }, error.message)));
  if (begun !== true || turn !== seat.turn) return planner.end();
  composer = planner;
  composed = `plan ${turn}`;
  plate.classList.add("choosing");
  showNewest();
  only("play");
  composer.heading().focus({ preventScroll: true });
};
const plans = () => ((seat.acts ?? []).includes("plan") && !seat.plan && (seat.chosen || !seat.ply) ? [button("Plan ahead", plan)] : []);

/** Says what is waited for; one's own move that waits is shown to its player alone. */
const wait = () => {
  const { who, until } = waitingFor();
  const claim = claims();
  const own = seat.chosen ?? keptReveal(seat.ply ?? {}, seat.sealed)?.split(" ").slice(1, -1).join(" ");
  if (claim.length && !own) return tell(`${who}’s time is over`, [element("p", {}, "A late move still counts until you claim.")], [...claim, ...nextGame()]);
  if (answers().length) return tell(`${names[seat.offer.by]} offers a draw`, [newsOf()], answers(), "yours");
  const waits = who ? `Waiting for ${who}${until}.` : "";
  if (!own) return tell(who ? `Waiting for ${who}` : "Waiting", [newsOf(), element("p", { class: "small" }, waits)], [...nextGame("slim primary"), ...plans()]);
  made = own;
  const chosen = element("span", {}, seat.followed?.includes(seat.turn) ? "Your plan chose " : "You chose ", move(own), ". ");
  const hide = button("Hide my move", () => {
    chosen.hidden = !chosen.hidden;
    hide.textContent = chosen.hidden ? "Show my move" : "Hide my move";
    if (chosen.hidden) showPublic();
    else if (seat.chosen) showOwn(own);
  }, "slim quiet");
  tell(seat.ply ? "Your move is sealed" : "Your move is in", [element("p", {}, chosen, waits)], [...nextGame("slim primary"), hide, ...plans(), ...claim]);
  if (seat.chosen) showOwn(own);
};

/** Reveals what was sealed in this browser, or says that it cannot. */
const reveal = async () => {
  const line = keptReveal(seat.ply, seat.sealed);
  if (!line) return tell("Reveal your move", [element("p", {}, "All moves are in, and the desk waits for yours to be revealed. This browser does not have your sealed move: mail the line that you kept, or open this page in the browser in which you sealed it.")], [], "yours");
  const by = button("Reveal your move", reveal, "primary");
  tell("All moves are in", [element("p", {}, "Yours was sealed in this browser, and is revealed now.")], seat.signs ? [by] : [], "yours");
  kept.show(line, true);
  if (await sending.send(line, { label: "Reveal your move", mail: letter(line) }).catch((error) => tell("Your move is not revealed", [element("p", { role: "alert" }, error.message)], [by], "yours bad"))) {
    kept.hide();
    renew().catch(() => {});
  }
};

/** A sealed move waits for the others, or for its reveal. */
const watchSealed = () => {
  const line = keptReveal(seat.ply, seat.sealed);
  if (seat.revealing) return reveal();
  wait();
  if (line) {
    kept.show(line, true);
    kept.fold();
  } else text.append(element("p", { class: "small" }, "This browser does not have your sealed move and cannot reveal it. Open this page in the browser in which you sealed it, or mail the line that you kept once the desk asks for it."));
};

const finish = () => {
  const { winner } = pageOf();
  const points = (side) => document.querySelector(`[data-seat="${CSS.escape(side)}"] .points`)?.lastChild.data;
  const score = others().length === 1 && points(seat.side) ? ` ${points(seat.side)} : ${points(others()[0])}` : "";
  const status = document.getElementById("status").textContent;
  const title = winner === seat.side ? `You won${score}` : winner in names ? `${names[winner]} won${score}` : status;
  const again = (seat.acts ?? []).includes("rematch") ? [doer("Ask for a rematch", "rematch", "primary")] : [];
  tell(title, [element("p", {}, winner ? status : ""), newsOf()], [...again, ...nextGame()]);
};

/** What the desk says of the seat; without submissions, what the link and the page say. */
const standing = async () => {
  const turn = Number(pageOf().turn);
  if (!submits) {
    const owes = pageOf().movers.split(" ").includes(link?.side) && link.from === turn;
    return link && { side: link.side, turn, key: link.key, owes, acts: [], old: link.from !== turn };
  }
  const fresh = link?.from === turn;
  const side = seat?.side ?? link?.side;
  const told = await ask("seat", fresh ? { key: link.key } : side ? { side } : {});
  if (told.side || !link) return told;
  return { ...(await ask("seat", { key: link.key })), old: !fresh };
};

/** Names the player "You" in the title, at the beginning if there are two. */
const dress = () => {
  const title = document.querySelector("#about h1");
  const all = others().length > 1 ? Object.keys(names).map(called) : ["You", names[others()[0]]];
  title.textContent = all.join(all.length > 2 ? ", " : " – ");
  if (seat.owes) document.title = `Your move · ${document.title}`;
};

/** Takes what only a player needs into the page. */
const enter = () => {
  source.after(source.content);
  const [pairing, signing, sealing, keptBox, card, talk, actions] = ["pairing", "signing", "sealing", "kept", "plan", "talk", "acts"].map((id) => document.getElementById(id));
  Object.assign(parts, {
    standing: document.getElementById("standing"),
    play: element("div", { class: "stack", hidden: "" }),
    told: element("div", { class: "stack", hidden: "" }, heading, text, row),
    pairing: element("div", { class: "stack", hidden: "" }, element("h2", {}, "Type the code from our letter"), pairing),
    signing: element("div", { class: "stack", hidden: "" }, element("h2", {}, "Sign your move"), signing),
  });
  Object.assign(seal, { box: sealing, input: sealing.querySelector("input") });
  pairing.hidden = signing.hidden = false;
  turnBox.append(parts.play, parts.told, parts.pairing, parts.signing, keptBox);
  turnBox.after(card);
  document.getElementById("now").after(talk, actions);
  kept = keptLine(keptBox, () => `${game}-${seat.side}-${seat.turn}.txt`);
  sending = sendingOf({
    pairing,
    signing,
    ask,
    seat: () => seat,
    open: (form) => only(form.id),
    close: () => only(composer ? "play" : "told"),
    troubled: (error) => tell(error.code ? "One moment" : "No connection", [element("p", {}, `${error.message} Still trying. Your move is kept in this browser.`)], [], "yours"),
  });
  const forget = async () => {
    await ask("forget", { key: seat.key });
    seat.paired = false;
    setTimeout(refresh);
    return "This browser can no longer move for you.";
  };
  const close = () => {
    stop();
    wait();
    heading.focus({ preventScroll: true });
  };
  planner = planOf({ card, plate, box: parts.play, ask, seat: () => seat, names, game, act, open: plan, close, isHeld });
  panel = actsOf({ talk, acts: actions, act, forget, called: () => joined(others().map(called)) });
};

let latest = 0;

/** Looks again at the seat, and shows what is to be done. */
async function refresh() {
  const mine = (latest += 1);
  const before = seat;
  let told;
  try {
    told = await standing();
  } catch (error) {
    if (mine !== latest) return;
    if (!error.code) return setTimeout(refresh, AGAIN);
    told = null;
    if (link && !before) document.getElementById("standing").append(element("p", { class: "note", role: "status" }, error.message));
  }
  if (mine !== latest) return;
  // An answer may come between the page and the seat: the page is read again, and this goes on.
  if (told?.turn > Number(pageOf().turn)) return renew().catch(() => setTimeout(refresh, AGAIN));
  if (!told?.side && !(told && link)) {
    if (!before) return;
    stop();
    only("standing", "calm");
    panel.show({ acts: [], paired: false });
    return;
  }
  seat = { side: link?.side, turn: Number(pageOf().turn), key: link?.key, acts: [], ...told };
  seat.owes = told.owes ?? (pageOf().movers.split(" ").includes(seat.side) && !seat.sealed);
  if (!panel) enter();
  if (readAs(seat.side)) return; // the page is read again, and this goes on
  dress();
  if (seat.ply) forgetEarlier(seat.ply);
  if (before?.turn !== seat.turn) made = "";
  panel.show(seat);
  planner.show();
  if (composed === `plan ${seat.turn}` && !seat.owes && !pageOf().over && !answers().length) return;
  const changed = before?.turn !== undefined && before.turn !== seat.turn && composer && !newsFor(seat.side).some(({ by }) => by === seat.side);
  if (!(seat.owes && !seat.sealed)) stop();
  if (before?.turn !== seat.turn) kept.hide(); // the line may be nowhere else
  if (pageOf().over) return finish();
  if (seat.sealed) return watchSealed();
  if (!seat.owes) return seat.old ? tell("This link is from an earlier letter", [element("p", {}, "To move, open the link of your newest one.")]) : wait();
  if (!seat.key || seat.old) return tell("Your move", [newsOf(), element("p", {}, "Open the link of your newest letter to move.")], nextGame(), "yours");
  return choose(changed);
}

addEventListener("game", refresh);
// A newer link begins again, unless a move is being chosen.
addEventListener("hashchange", () => {
  const next = seatOf(location.hash);
  if (!next) return;
  link = next;
  refresh();
});
refresh();
