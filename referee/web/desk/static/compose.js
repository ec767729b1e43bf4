// Where a letter's link opens the page of a game: its player chooses a move, and sends the line, by mail or right here.
//
// The link has the seat behind `#`: its side, the turn that its key is for, and the key. A browser sends nothing of that
// to anybody by itself. Here the key becomes a part of the address that the letter goes to; and where the desk takes
// moves on the page, of what is sent to it.

import { compose } from "./composer/composer.js";
import { judgeBy, treeOf } from "./composer/tree.js";
import { copied, keptLine } from "./kept.js";
import { forgetEarlier, keptReveal, meansToSeal, sealMove } from "./sealing.js";
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
const players = JSON.parse(seat.dataset.players);
const AGAIN = 5000;
const RARELY = 60_000;
const LINK = /^#(.+)-([0-9]+)-([a-z2-7]{16})$/;
const UNREACHED = "The desk cannot be reached now. Please read this page again in a while.";
const NEXT = "For your next move, please open the link in the letter that asks you for it.";

let turn = Number(seat.dataset.turn);
let choosing = false;
let asks = null; // looks again what the desk says, while a sealed move waits for the others

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

/** Ends the choosing. */
const stop = () => {
  choosing = false;
  document.body.classList.remove("choosing");
  for (const one of [board, line, sealing]) if (one) one.hidden = true;
};

/** Reveals what was sealed, if that was done in this browser; says what to do otherwise. */
const reveal = (key, { ply, sealed }, sending) => {
  const text = keptReveal(ply, sealed);
  if (!text) {
    return say(
      "Everybody's move is in, and the desk waits for yours to be revealed. This browser does not have your sealed move: please mail the line that you kept, or open this page in the browser in which you sealed it.",
    );
  }
  say("Everybody's move is in. Yours was sealed in this browser, and it is time to reveal it.");
  offerByMail(key, text);
  sending.offer(text, "Reveal your move");
  // Perhaps nobody looks at this page: what the desk cannot take now is sent again.
  const send = async (after) => {
    if (await sending.send()) setTimeout(send, after, Math.min(2 * after, RARELY));
  };
  send(AGAIN);
};

/** Says how a sealed move stands that waits for the others, and shows the line that reveals it. */
const wait = ({ ply, sealed }, kept) => {
  const text = keptReveal(ply, sealed);
  say(
    text
      ? "Your sealed move is in. Leave this page open, or come back to it in this browser: it reveals the move once everybody's is in."
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
    confirm: async ({ text }) => {
      await prepare(text);
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

const begin = async (side, from, key) => {
  seat.hidden = false;
  const name = players[side];
  document.getElementById("seat-side").textContent = name ? `You play ${side} as ${name}.` : `You play ${side}.`;
  if (from !== turn) return say("This link is of an earlier letter. To move, open the link of your newest one.");
  const here = {};
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
      stop();
      if (text.startsWith("seal ")) watch(key, null, here);
      else {
        asks = null;
        here.kept.hide();
        if (text.startsWith("reveal ")) say("Everybody's move is in, and yours is revealed.");
      }
    });
  }
  if (standing?.sealed) return watch(key, standing, here);
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

const open = () => {
  const [, named, from, key] = LINK.exec(location.hash) ?? [];
  // The page says nothing that only a link says: anybody can write one.
  const side = Object.keys(players).find((one) => new URL(`#${one}`, location).hash === `#${named}`);
  if (side && !turned(side)) begin(side, Number(from), key);
};

// The desk has played a move meanwhile: what was chosen stays to be read, but its key does not count any more.
addEventListener("game", ({ detail }) => {
  if (detail.turn === turn) return choosing ? undefined : asks?.();
  turn = detail.turn;
  asks = null;
  if (seat.hidden) return;
  const kept = "To move, open the link of your newest letter; what you have chosen here is not lost.";
  say(turn ? `The game has gone on. ${choosing ? kept : NEXT}` : "The game is over.");
  document.body.classList.remove("choosing");
  for (const one of [line, steps, sealing, document.getElementById("kept")]) if (one) one.hidden = true;
});
// A newer link begins anew, unless a move is being chosen.
addEventListener("hashchange", () => choosing || location.reload());
open();
