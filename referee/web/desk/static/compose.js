// Where a letter's link opens the page of a game: its player chooses a move, and sends the line by mail.
//
// The link has the seat behind `#`: its side, the turn that its key is for, and the key. A browser sends nothing of that
// to anybody; here it only becomes a part of the address that the letter goes to.

import { compose } from "./composer/composer.js";

const seat = document.getElementById("seat");
const note = document.getElementById("seat-note");
const board = document.getElementById("composer");
const line = document.getElementById("line");
const { game, mailbox, choices, trial } = seat.dataset;
const LINK = /^#(.+)-([0-9]+)-([a-z2-7]{16})$/;

let turn = Number(seat.dataset.turn);
let composer = null;

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

const begin = async (side, from, key) => {
  seat.hidden = false;
  if (from !== turn) return say("This link is of an earlier letter. To move, open the link of your newest one.");
  const told = await asked(choices, side);
  if (!told || told.turn !== from) return say(`There is no move for ${side} to make now.`);
  const { round } = told;
  const see = (text) => asked(trial, side, { method: "POST", body: text });
  document.body.classList.add("choosing");
  board.hidden = false;
  composer = compose(board, told, {
    key: `${game} ${side}`,
    preview: async (text) => (await see(text))?.board ?? null,
    judge: async (text) => (await see(text)) ?? { column: 1, message: "the desk cannot judge this now" },
    confirm: async ({ text }) => offer(key, `${round}. ${text}`),
  });
};

const open = () => {
  const link = LINK.exec(location.hash);
  if (link && !composer) begin(link[1], Number(link[2]), link[3]);
};

// The desk has played a move meanwhile: what was chosen stays to be read, but its key does not count any more.
addEventListener("game", ({ detail }) => {
  if (detail.turn === turn) return;
  turn = detail.turn;
  if (!composer) return;
  say("The game has gone on. To move, open the link of your newest letter; what you have chosen here is not lost.");
  document.body.classList.remove("choosing");
  line.hidden = true;
});
addEventListener("hashchange", open);
open();
