// Who looks at a page: the button in its bar, the player's own games, and on /me the way to sign in and out.
//
// The pages are the same for everybody. What is a player's own is asked for here, because a link in a letter brings no
// cookie of this site along, and only the page itself may ask.

import { seatAt } from "./seat.js";

const bar = document.getElementById("you");
const mine = document.getElementById("mine");
const sign = document.getElementById("sign");
const root = (bar ?? mine).dataset.me;
const ask = seatAt(root, "");

/** An element with some properties. */
const made = (name, properties, ...children) => {
  const one = Object.assign(document.createElement(name), properties);
  one.append(...children);
  return one;
};

const fillBar = ({ paired, name, waiting, next }) => {
  const link = (text, href, more = "") => made("a", { className: `button slim${more}`, href }, text);
  const games = waiting === 1 ? "1 game" : `${waiting} games`;
  if (waiting) bar.replaceChildren(link(`Your move in ${games}`, next, " wait"));
  else bar.replaceChildren(paired ? link(name, root) : link("Sign in", root));
};

const showMine = ({ paired, html }) => {
  mine.innerHTML = html; // the desk has escaped all names in it
  mine.hidden = !paired;
};

/** The part of /me for signing in and out. */
const signing = () => {
  const steps = Object.fromEntries([...sign.querySelectorAll("[data-step]")].map((one) => [one.dataset.step, one]));
  const note = sign.querySelector("[role=status]");
  const list = sign.querySelector("[data-browsers]");
  let busy = false;

  const step = (name) => {
    for (const [one, part] of Object.entries(steps)) part.hidden = one !== name;
  };

  const show = (told) => {
    step(told.paired ? "out" : "address");
    sign.hidden = false;
    const since = ({ since, here }) => made("li", {}, `since ${since}${here ? " (this browser)" : ""}`);
    list.replaceChildren(...told.browsers.map(since));
  };

  /** Does something, once at a time; says what came of it, or what went wrong. */
  const doing = async (work) => {
    if (busy) return;
    busy = true;
    note.textContent = "";
    try {
      note.textContent = (await work()) ?? "";
    } catch (error) {
      note.textContent = error.message;
    } finally {
      busy = false;
    }
    (sign.querySelector("[data-step]:not([hidden]) input") ?? note).focus();
  };

  const pair = async (code) => {
    await ask("pair", { code });
    await look();
    return "You are signed in. A letter confirms it.";
  };

  steps.address.onsubmit = (event) => {
    event.preventDefault();
    doing(async () => {
      await ask("code", { address: new FormData(steps.address).get("address") });
      step("code");
      return "If a player here has this address, a letter with a code is on its way. The code counts for half an hour, in this browser alone.";
    });
  };
  steps.code.onsubmit = (event) => {
    event.preventDefault();
    doing(() => pair(new FormData(steps.code).get("code")));
  };
  sign.querySelector("[data-again]").onclick = () => step("address");
  sign.querySelector("[data-forget]").onclick = () =>
    doing(async () => {
      await ask("forget");
      await look();
      return "This browser is forgotten: it can no longer move for you.";
    });

  return { show, pair: (code) => doing(() => pair(code)) };
};

const own = sign && signing();

/** Asks who looks, and shows it. */
const look = async () => {
  const told = await ask(mine ? "games" : "state").catch(() => null);
  if (!told) return;
  if (bar) fillBar(told);
  if (mine) showMine(told);
  own?.show(told);
};

await look();
const [, code] = /^#code=([0-9]{8})$/.exec(location.hash) ?? [];
if (own && code) {
  history.replaceState(null, "", location.pathname); // a code is no address to keep
  own.pair(code);
}
// A move may have been made here or in another window; and a page may come back from the browser's memory.
addEventListener("game", look);
addEventListener("pageshow", ({ persisted }) => persisted && look());
document.addEventListener("visibilitychange", () => document.hidden || look());
