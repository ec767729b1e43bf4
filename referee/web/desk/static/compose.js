// Where a letter's link opens the page of a game: its player chooses a move, and sends the line, by mail or right here.
//
// The link has the seat behind `#`: its side, the turn that its key is for, and the key. A browser sends nothing of that
// to anybody by itself. Here the key becomes a part of the address that the letter goes to; and where the desk takes
// moves on the page, of what is sent to it.

import { compose } from "./composer/composer.js";
import { forgetSeal, keptReveal } from "./sealing.js";
import { seatAt } from "./seat.js";
import { submission } from "./submission.js";

const seat = document.getElementById("seat");
const note = document.getElementById("seat-note");
const board = document.getElementById("composer");
const line = document.getElementById("line");
const steps = document.getElementById("submission"); // only where the desk takes moves on the page
const { game, mailbox, choices, trial } = seat.dataset;
const LINK = /^#(.+)-([0-9]+)-([a-z2-7]{16})$/;

let turn = Number(seat.dataset.turn);
let composer = null;
let asks = null; // asks the desk again what is to be done, while a sealed move waits for the others

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

/** Ends the choosing: the move has been sent. */
const finish = (text) => {
  composer = null;
  document.body.classList.remove("choosing");
  board.hidden = true;
  line.hidden = true;
  if (text.startsWith("reveal ")) return;
  asks = text.startsWith("seal ") ? asks : null;
};

/** Reveals what was sealed here, as soon as the desk asks for it. */
const reveal = (key, ask, standing) => {
  const text = keptReveal(standing.promised);
  if (!text) {
    return say(
      "The desk waits for your reveal, and this browser does not have your sealed move. Please send the line that you kept, or open this page in the browser in which you sealed it.",
    );
  }
  say("Everybody's move is in. Yours is sealed here, and is to be revealed now.");
  const sending = submission(steps, ask, standing, {
    line: (shown) => offer(key, shown),
    sent: (shown) => {
      finish(shown);
      forgetSeal(standing.promised);
    },
  });
  sending.offer(text);
  if (standing.paired && !standing.signs) steps.querySelector("[data-step=send]").requestSubmit();
};

const begin = async (side, from, key) => {
  seat.hidden = false;
  if (from !== turn) return say("This link is of an earlier letter. To move, open the link of your newest one.");
  const ask = steps && seatAt(steps.dataset.address, key);
  const standing = ask && (await ask("seat").catch(() => null));
  if (standing?.promised) return reveal(key, ask, standing);
  if (standing?.sealed) {
    asks = () => begin(side, turn, key);
    return say("Your sealed move is in. Leave this page open, or come back by this link: it is revealed once everybody's move is in.");
  }
  const told = await asked(choices, side);
  if (!told || told.turn !== from) return say(`There is no move for ${side} to make now.`);
  const { round } = told;
  const see = (text) => asked(trial, side, { method: "POST", body: text });
  document.body.classList.add("choosing");
  board.hidden = false;
  const show = (text) => offer(key, text);
  const sending = standing && submission(steps, ask, standing, { line: show, sent: finish });
  asks = sending && (() => begin(side, turn, key));
  composer = compose(board, told, {
    key: `${game} ${side}`,
    preview: async (text) => (await see(text))?.board ?? null,
    judge: async (text) => (await see(text)) ?? { column: 1, message: "the desk cannot judge this now" },
    confirm: async ({ text }) => (sending ? sending.offer(`${round}. ${text}`, text) : show(`${round}. ${text}`)),
  });
};

const open = () => {
  const link = LINK.exec(location.hash);
  if (link && !composer) begin(link[1], Number(link[2]), link[3]);
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
  if (steps) steps.hidden = true;
});
addEventListener("hashchange", open);
open();
