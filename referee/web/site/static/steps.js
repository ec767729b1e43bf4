// Steps through the moves without leaving the page: by links, buttons, arrow keys and swipes.

import { movesOf } from "./news.js";

const FAR = 48;
const plate = document.getElementById("plate");
const numberOf = (one) => Number(one.dataset.ply);
const plies = () => [...document.querySelectorAll(".list [data-ply]")];
const end = () => Math.max(0, ...plies().map(numberOf));
const current = () => numberOf(document.querySelector(".list [aria-current]") ?? { dataset: { ply: 0 } });

let at = current();
let last = end();
let newest = {};

/** Remembers the picture of the newest ply, and what the page says of it. */
const remember = () => {
  const board = document.getElementById("board");
  newest = { src: board?.getAttribute("src"), alt: board?.alt, told: document.getElementById("at").textContent };
};

/** Of all moves, Tab leads to the one that is shown; the arrow keys lead to the others. */
const rove = () => {
  for (const one of plies()) one.tabIndex = numberOf(one) === at ? 0 : -1;
};

/** Says which ply is shown, and what was played in it. */
const told = (ply) => {
  if (!ply) return "The start";
  const made = movesOf(plies()[ply - 1]).map(({ name, move }) => `${name} ${move}`);
  return `Ply ${ply} of ${last}: ${made.join(", ")}`;
};

const show = (ply) => {
  const board = document.getElementById("board");
  if (!board) return;
  at = Math.min(last, Math.max(0, ply));
  rove();
  const past = at < last;
  const address = new URL(newest.src, location);
  if (past) address.searchParams.set("ply", at);
  board.src = past ? address.href : newest.src;
  board.alt = past ? `The board: ${told(at)}` : newest.alt;
  document.body.classList.toggle("stepping", past);
  document.getElementById("at").textContent = past ? told(at) : newest.told;
  const scrolled = document.querySelector(".list");
  for (const one of plies()) {
    if (numberOf(one) !== at) one.removeAttribute("aria-current");
    else if (!one.setAttribute("aria-current", "true")) {
      const { top, bottom } = one.getBoundingClientRect();
      const box = scrolled.getBoundingClientRect();
      scrolled.scrollTop += Math.min(0, top - box.top) + Math.max(0, bottom - box.bottom);
    }
  }
  for (const one of document.querySelectorAll("[data-to]")) {
    one.setAttribute("aria-disabled", String(at === (["first", "back"].includes(one.dataset.to) ? 0 : last)));
  }
};

const to = { first: () => 0, back: () => at - 1, next: () => at + 1, last: () => last };

/** Shows the newest ply again. */
export const showNewest = () => show(last);

document.addEventListener("click", (event) => {
  const one = event.target.closest("[data-to], .list [data-ply]");
  if (!one || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(one.dataset.to ? to[one.dataset.to]() : numberOf(one));
});
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("input, textarea, select, [role=grid]")) return;
  const key = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" }[event.key];
  if (!key || !last) return;
  event.preventDefault();
  show(to[key]());
});

let from = null;
plate.addEventListener("touchstart", ({ touches }) => (from = touches.length === 1 ? touches[0] : null), { passive: true });
plate.addEventListener("touchend", ({ changedTouches: [end] }) => {
  if (!from || visualViewport.scale > 1.05) return;
  const [right, down] = [end.clientX - from.clientX, end.clientY - from.clientY];
  if (Math.abs(right) > FAR && Math.abs(right) > 2 * Math.abs(down)) show(at + (right > 0 ? -1 : 1));
});

// What is new is shown, unless somebody looks at an earlier ply.
addEventListener("game", () => {
  const wasLast = at === last;
  last = end();
  remember();
  if (!wasLast) show(at);
  else at = last;
  rove();
});
remember();
rove();
if (at < last && location.search.includes("ply=")) newest.src = newest.src.replace(/ply=\d+/, `ply=${last}`);
