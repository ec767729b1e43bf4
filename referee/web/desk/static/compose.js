// Where a letter's link opens the page of a game: its player chooses a move, and sends the line, by mail or right here.
//
// The link has the seat behind `#`: its side, the turn that its key is for, and the key. A browser sends nothing of that
// to anybody by itself. Here the key becomes a part of the address that the letter goes to; and where the desk takes
// moves on the page, of what is sent to it.

import { compose } from "./composer/composer.js";
import { judgeBy, treeOf } from "./composer/tree.js";
import { forgetSeal, keptReveal, sealMove } from "./sealing.js";
import { seatAt } from "./seat.js";
import { submission } from "./submission.js";

const seat = document.getElementById("seat");
const note = document.getElementById("seat-note");
const board = document.getElementById("composer");
const line = document.getElementById("line");
const steps = document.getElementById("submission"); // only where the desk takes moves on the page
const sealing = document.getElementById("sealing");
const seals = sealing?.querySelector("input");
const { game, mailbox, choices, trial } = seat.dataset;
const AGAIN = 5000;
const LINK = /^#(.+)-([0-9]+)-([a-z2-7]{16})$/;

let turn = Number(seat.dataset.turn);
let composer = null;
let asks = null; // looks again what the desk says, while a sealed move waits for the others

const asked = async (address, side, options = {}) => {
  const answer = await fetch(`${address}?${new URLSearchParams({ side })}`, options);
  return answer.ok ? answer.json() : null;
};

/** The address of a letter with a move: that of the seat, which the desk believes only from its own player. */
const letter = (key, text) => {
  const [local, domain] = mailbox.split("@");
  const to = `${encodeURIComponent(`${local}+${game}.${key}`)}@${domain}`;
  return `mailto:${to}?subject=${encodeURIComponent(`[${game}]`)}&body=${encodeURIComponent(`${text}\n`)}`;
};

const say = (text) => {
  note.textContent = text;
};

const offer = (key, text) => {
  const status = line.querySelector("[role=status]");
  const ways = Object.fromEntries([...line.querySelectorAll("[data-way]")].map((one) => [one.dataset.way, one]));
  line.querySelector("output").textContent = text;
  ways.mail.href = letter(key, text);
  ways.copy.hidden = !navigator.clipboard; // browsers give it only to pages that came over HTTPS
  ways.copy.onclick = async () => {
    await navigator.clipboard.writeText(text);
    status.textContent = "Copied.";
  };
  ways.share.hidden = !navigator.share;
  ways.share.onclick = () => navigator.share({ text }).catch(() => {});
  line.hidden = false;
  ways.mail.focus();
};

/** Ends the choosing: the desk has taken a line. */
const finish = (text) => {
  composer = null;
  document.body.classList.remove("choosing");
  for (const one of [board, line, sealing]) one.hidden = true;
  if (text.startsWith("seal ")) asks?.();
  else asks = null;
};

/** Reveals what was sealed here. */
const reveal = (key, ask, standing) => {
  const text = keptReveal(standing.promised);
  if (!text) {
    return say(
      "The desk waits for your reveal, and this browser does not have your sealed move. Please mail the line that you kept, or open this page in the browser in which you sealed it.",
    );
  }
  say("Everybody's move is in. Yours was sealed in this browser, and it is time to reveal it.");
  const sent = (shown) => {
    say("Everybody's move is in, and yours is revealed.");
    finish(shown);
    forgetSeal(standing.promised);
  };
  offer(key, text);
  submission(steps, ask, standing, sent).offer(text);
  if (standing.paired && !standing.signs) steps.querySelector("[data-step=send]").requestSubmit();
};

/** What the desk says of the seat, or null. A seal is revealed as soon as the desk asks for that. */
const look = async (key, ask) => {
  const standing = await ask("seat").catch((error) => say(error.message) ?? null);
  if (standing?.promised) reveal(key, ask, standing);
  else if (standing?.sealed) {
    say("Your sealed move is in. Leave this page open, or come back by this link: this browser reveals the move once everybody's is in.");
  }
  return standing;
};

/** What the page does with a move that was confirmed: it offers to send it, sealed if its player wants that. */
const confirmed = async (key, sending, standing, round, move) => {
  const sealed = seals?.checked && (await sealMove(standing.ply, move));
  const text = sealed ? sealed.seal : `${round}. ${move}`;
  offer(key, text);
  sending?.offer(text, sealed || {});
};

const begin = async (side, from, key) => {
  seat.hidden = false;
  if (from !== turn) return say("This link is of an earlier letter. To move, open the link of your newest one.");
  const ask = steps && seatAt(steps.dataset.address, key);
  asks = ask && (async () => (await look(key, ask)) || setTimeout(() => asks?.(), AGAIN));
  const standing = ask && (await look(key, ask));
  if (standing?.sealed) return;
  const told = await asked(choices, side);
  if (!told || told.turn !== from) return say(`There is no move for ${side} to make now.`);
  const see = (text) => asked(trial, side, { method: "POST", body: text });
  const alone = judgeBy(treeOf(told.tree)); // asks nobody
  document.body.classList.add("choosing");
  board.hidden = false;
  if (sealing) sealing.hidden = !(standing?.ply && crypto.subtle);
  const sending = standing && submission(steps, ask, standing, finish);
  composer = compose(board, told, {
    key: `${game} ${side}`,
    preview: async (text) => (seals?.checked ? null : (await see(text))?.board ?? null),
    judge: async (text) => (seals?.checked ? alone(text) : (await see(text)) ?? { column: 1, message: "the desk cannot judge this now" }),
    confirm: ({ text }) => confirmed(key, sending, standing, told.round, text),
  });
};

const open = () => {
  const link = LINK.exec(location.hash);
  if (link) begin(link[1], Number(link[2]), link[3]);
};

// The desk has played a move meanwhile: what was chosen stays to be read, but its key does not count any more.
addEventListener("game", ({ detail }) => {
  if (detail.turn === turn) return composer ? undefined : asks?.();
  turn = detail.turn;
  asks = null;
  if (!composer) return;
  say("The game has gone on. To move, open the link of your newest letter; what you have chosen here is not lost.");
  document.body.classList.remove("choosing");
  line.hidden = true;
  for (const one of [steps, sealing]) if (one) one.hidden = true;
});
// A newer link begins anew, unless a move is being chosen.
addEventListener("hashchange", () => composer || location.reload());
open();
