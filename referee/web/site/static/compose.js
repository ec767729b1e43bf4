// The page of a game opened by a letter's link: its player chooses a move, and sends the line, by mail or right here.
//
// The link has the seat behind `#`: its side, the turn of its key, and the key. A browser never sends this part by
// itself. Here the key becomes a part of the letter's address; and if the desk accepts moves on the page, of the
// request to it.

import { compose } from "./composer/composer.js";
import { judgeBy, treeOf } from "./composer/tree.js";
import { copied, keptLine } from "./kept.js";
import { movesSince } from "./plies.js";
import { forgetEarlier, keptReveal, meansToSeal, sealMove } from "./sealing.js";
import { seatAt, sentence } from "./seat.js";
import { submission } from "./submission.js";

const source = document.getElementById("seat");
const { game, mailbox, choices, trial } = source.dataset;
const players = JSON.parse(source.dataset.players);
const AGAIN = 5000;
const RARELY = 60_000;
const UNREACHED = "The desk cannot be reached now. Please read this page again in a while.";
const KEPT = "To move, open the link of your newest letter; what you have chosen here is not lost.";
const NEXT = "For your next move, please open the link in the letter that asks you for it.";

/** The seat that the page was opened for: its side, the turn of its key, and the key; null if there is none. */
const seatOf = (hash) => {
  const [, named, from, key] = /^#(.+)-([0-9]+)-([a-z2-7]{16})$/.exec(hash) ?? [];
  // The page repeats no text of a link, because anyone can write one.
  const side = Object.keys(players).find((one) => new URL(`#${one}`, location).hash === `#${named}`);
  return side ? { side, from: Number(from), key } : null;
};

const link = seatOf(location.hash);
if (link) source.after(source.content); // nobody else needs any of it
const heading = document.getElementById("seat-heading");
const note = document.getElementById("seat-note");
const board = document.getElementById("composer");
const line = document.getElementById("line");
const steps = document.getElementById("submission"); // only where the desk takes moves on the page
const sealing = document.getElementById("sealing");
const seals = sealing?.querySelector("input");

let turn = Number(source.dataset.turn);
const isOld = link?.from !== turn;
let choosing = false;
let sent = false;
const here = {}; // where the desk takes moves on the page: how it is asked, and the parts that send a move and keep a seal
let asks = null; // looks again what the desk says, while a sealed move waits for the others

const elsewhere = (move) => `You sent ${move} from another window or by mail.`;

const say = (text) => {
  note.textContent = text;
};

/** What the desk says of a side; null if there is nothing to say, or the desk cannot be reached. */
const asked = async (address, side, options = {}) => {
  const answer = await fetch(`${address}?${new URLSearchParams({ side })}`, options).catch(() => null);
  if (!answer) say(UNREACHED);
  return answer?.ok ? answer.json() : null;
};

/** The address of a letter with a move: that of the seat, which the desk believes only from its own player. */
const letter = (key, text) => {
  const [local, domain] = mailbox.split("@");
  const to = `${encodeURIComponent(`${local}+${game}.${key}`)}@${domain}`;
  return `mailto:${to}?subject=${encodeURIComponent(`[${game}]`)}&body=${encodeURIComponent(`${text}\n`)}`;
};

/** Offers a line for a letter. */
const offerByMail = (key, text) => {
  const status = line.querySelector("[role=status]");
  const ways = Object.fromEntries([...line.querySelectorAll("[data-way]")].map((one) => [one.dataset.way, one]));
  line.querySelector("output").textContent = text;
  status.textContent = "";
  ways.mail.href = letter(key, text);
  ways.copy.hidden = !navigator.clipboard; // browsers give it only to pages that came over HTTPS
  ways.copy.onclick = async () => {
    status.textContent = await copied(text);
  };
  ways.share.hidden = !navigator.share;
  ways.share.onclick = () => navigator.share({ text }).catch(() => {});
  line.hidden = false;
  ways.mail.focus();
};

/** Hides parts of the page; the focus goes to the heading if it was there. */
const hide = (...parts) => {
  for (const one of parts) if (one) one.hidden = true;
  if (document.activeElement.closest("[hidden]")) heading.focus();
};

/** Ends the choosing. */
const stop = () => {
  choosing = false;
  document.body.classList.remove("choosing");
  hide(board, line, sealing);
};

/** Ends the choosing of a move that was made elsewhere. */
const leave = () => {
  here.sending?.withdraw();
  stop();
  heading.textContent = "Your move is in";
};

/** Reveals what was sealed, if that was done in this browser; says what to do otherwise. */
const reveal = (key, { ply, sealed }, sending) => {
  const text = keptReveal(ply, sealed);
  if (!text) {
    return say(
      "All moves are in, and the desk waits for yours to be revealed. This browser does not have your sealed move: please mail the line that you kept, or open this page in the browser in which you sealed it.",
    );
  }
  say("All moves are in. Yours was sealed in this browser, and it is time to reveal it.");
  offerByMail(key, text);
  sending.offer(text, "Reveal your move");
  // The page may be in the background: a reveal that the desk cannot take now is sent again.
  const send = async (after) => {
    if (await sending.send()) setTimeout(send, after, Math.min(2 * after, RARELY));
  };
  send(AGAIN);
};

/** Shows the state of a sealed move that waits for the others, and the line that reveals it. */
const wait = ({ ply, sealed }, kept) => {
  const text = keptReveal(ply, sealed);
  say(
    text
      ? "Your sealed move is in. Leave this page open, or come back to it in this browser: it reveals the move once all moves are in."
      : "Your sealed move is in, but this browser does not have it and cannot reveal it. Open this page in the browser in which you sealed it; or, once the desk asks for it, mail the line that you kept.",
  );
  if (!text) return;
  kept.show(text, true);
  kept.fold();
};

/** What the page does with a seat whose move is sealed, now and whenever the game's log has grown. */
const watch = (key, standing, { ask, sending, kept }) => {
  let revealing = false;
  const look = ({ sealed, ...told }) => {
    if (!sealed) return kept.hide();
    if (!told.revealing) return wait({ sealed, ...told }, kept);
    if (!revealing) reveal(key, { sealed, ...told }, sending);
    revealing = true;
  };
  asks = async () => {
    const told = await ask("seat").catch(() => null);
    if (told) look(told);
    else setTimeout(() => asks?.(), AGAIN);
  };
  if (standing) look(standing);
  else asks();
};

/** Has a side choose its move; what is confirmed is prepared as the box for sealing says. */
const choose = (told, side, key, standing, { sending, kept }) => {
  let meant = null;
  const withdraw = () => {
    meant = null;
    say("");
    line.hidden = true;
    sending?.withdraw();
    kept?.hide();
  };
  const prepare = async (move) => {
    withdraw();
    meant = move;
    const sealed = seals?.checked ? await sealMove(standing.ply, move) : null;
    if (meant !== move) return;
    const text = sealed ? sealed.seal : `${told.round}. ${move}`;
    if (!sending) line.open = true;
    offerByMail(key, text);
    if (sealed) kept.show(sealed.reveal, sealed.kept);
    sending?.offer(text, sealed ? `Make your move ${move}, sealed` : `Make your move ${move}`);
  };
  const see = (text) => asked(trial, side, { method: "POST", body: text });
  const alone = judgeBy(treeOf(told.tree)); // asks nobody
  const judgeAlone = async (text) => {
    const found = await alone(text);
    return found.message ? { ...found, message: `${found.message}; sealed moves are compared with the list of legal moves alone` } : found;
  };
  choosing = true;
  heading.textContent = "Your move";
  document.body.classList.add("choosing");
  board.hidden = false;
  if (sealing) sealing.hidden = !(standing?.ply && crypto.subtle);
  if (seals) {
    const meaning = meansToSeal(`${game} ${side} ${turn}`);
    seals.checked = !sealing.hidden && meaning.read();
    seals.onchange = () => {
      meaning.write(seals.checked);
      if (meant) prepare(meant);
    };
  }
  compose(board, told, {
    key: `${game} ${side} ${turn}`,
    preview: async (text) => (seals?.checked ? null : ((await see(text))?.board ?? null)),
    judge: async (text) => (seals?.checked ? judgeAlone(text) : ((await see(text)) ?? { column: 1, message: "the desk cannot judge this now" })),
    changed: withdraw,
    confirm: async ({ text, again }) => {
      await prepare(text);
      if (again) {
        say(`You have confirmed ${text} already. It counts once the desk has it.`);
        heading.focus(); // a key that is pressed now sends nothing
      }
      return false;
    },
  });
};

/** What the desk says of the seat; null if it cannot be reached, and the page only makes the line for a letter. */
const standingOf = async (ask) => {
  try {
    return await ask("seat");
  } catch (error) {
    if (error.code) throw error;
    say(error.message);
    return null;
  }
};

const begin = async ({ side, from, key }) => {
  const name = players[side];
  document.getElementById("seat-side").textContent = name ? `You play ${side} as ${name}.` : `You play ${side}.`;
  heading.focus();
  if (isOld) return say("This link is from an earlier letter. To move, open the link of your newest one.");
  let standing = null;
  if (steps) {
    here.ask = seatAt(steps.dataset.address, key);
    try {
      standing = await standingOf(here.ask);
    } catch (error) {
      return say(error.message);
    }
    here.kept = keptLine(document.getElementById("kept"), `${game}-${side}-${turn}.txt`);
  }
  if (standing) {
    if (standing.ply) forgetEarlier(standing.ply);
    here.sending = submission(steps, here.ask, standing, (text) => {
      sent = true;
      heading.textContent = "Your move is in";
      stop();
      if (text.startsWith("seal ")) watch(key, null, here);
      else {
        asks = null;
        here.kept.hide();
        say(text.startsWith("reveal ") ? "All moves are in, and yours is revealed." : "");
      }
    });
  }
  if (standing?.sealed) {
    heading.textContent = "Your move is in";
    return watch(key, standing, here);
  }
  const told = await asked(choices, side);
  if (told?.turn === from) choose(told, side, key, standing, here);
  else if (!note.textContent) say(`There is no move for ${side} to make now. ${NEXT}`);
};

/** Whether the page is on its way to the same board as the side of a link sees it. */
const turned = (side) => {
  const seats = [...document.querySelectorAll(".controls a:not([aria-current])")];
  const own = seats.find((one) => one.textContent.trim() === side);
  if (!own || location.search) return false;
  location.replace(own.href + location.hash);
  return true;
};

/** Says what has come since the move of a link was due. */
const tell = ({ side, from }, isNext) => {
  const { own, others } = movesSince(from, side);
  const news = others.map(({ by, move, after }) => sentence(`${players[by] ?? by} ${after ? "answered" : "played"} ${move}`));
  if (own && !sent) {
    news.unshift(choosing ? elsewhere(own) : `You played ${own}.`);
    leave();
  }
  if (!turn) {
    stop();
    heading.textContent = "The game is over";
    news.push("The game is over.");
  } else if (own) {
    heading.textContent = isNext ? "It is your turn again" : "Your move is in";
    if (isNext && !sent) news.push(NEXT);
  } else {
    heading.textContent = "The position has changed";
    news.push(`The position has changed. ${choosing ? KEPT : NEXT}`);
  }
  say(news.join(" "));
};

// The log has grown: what was chosen and what was sent stay to be read, but the key counts for its own turn alone.
addEventListener("game", ({ detail }) => {
  if (!link) return;
  const isNext = detail.movers.includes(link.side);
  if (detail.turn !== turn) {
    turn = detail.turn;
    asks = null;
    document.body.classList.remove("choosing");
    if (!isOld) tell(link, isNext);
    else if (!turn) say("The game is over.");
    hide(line, sent ? null : steps, sealing, document.getElementById("kept"));
  } else if (choosing && !isNext) {
    leave();
    say(elsewhere("your move"));
    if (here.ask) watch(link.key, null, here);
  } else asks?.();
});
// A newer link begins again, unless a move is being chosen.
addEventListener("hashchange", () => choosing || location.reload());
if (link && !turned(link.side)) begin(link);
