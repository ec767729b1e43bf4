// Keeps the page of a running game up to date: the desk says when the log has grown, and the page is read again.

const LIVE = ["others", "picture", "own", "standing", "about", "moves", "now", "more"];
const AGAIN = 5000;
const SPREAD = 1500;
const LATER = 30_000;

const main = document.getElementById("main");
let shown = Number(main.dataset.number);
let wanted = shown;
let spread = SPREAD;
let seenBy = "";
let reading = null;
let source;

/** A name by which a link, or the summary of something folded, is found in the new page. */
const nameOf = (one) => one.dataset.to ?? one.getAttribute("href") ?? one.parentElement.id;

/** Puts a part of the new page in the place of the old one; what is open stays open, what has the focus keeps it. */
const exchange = (id, fresh) => {
  const old = document.getElementById(id);
  const part = fresh.getElementById(id);
  if (!old || !part) return;
  for (const [key, value] of Object.entries(part.dataset)) old.dataset[key] = value;
  if (old.innerHTML === part.innerHTML) return;
  const focus = old.contains(document.activeElement) ? nameOf(document.activeElement) : null;
  const open = [...old.querySelectorAll("details[open]")].map((one) => one.id);
  old.replaceChildren(...part.childNodes);
  for (const one of open) old.querySelector(`#${one}`)?.setAttribute("open", "");
  if (focus === null) return;
  old.tabIndex = -1; // what had the focus may be gone
  ([...old.querySelectorAll("a, summary")].find((one) => nameOf(one) === focus) ?? old).focus({ preventScroll: true });
};

const read = async () => {
  const address = new URL(location.pathname + location.search, location);
  const { searchParams: asked } = address;
  if (seenBy && !address.search) asked.set("view", seenBy);
  if (seenBy && asked.get("view") === seenBy) asked.set("you", "");
  const answer = await fetch(address, { cache: "no-cache" });
  if (!answer.ok) throw new Error(answer.statusText);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  // A game that has begun can be played: its page has parts now that were not there.
  if (fresh.getElementById("seat") && !document.getElementById("seat")) return location.reload();
  for (const id of LIVE) exchange(id, fresh);
  document.title = fresh.title;
  const { number, events } = fresh.querySelector("main").dataset;
  shown = Number(number);
  if (!events) source?.close();
  dispatchEvent(new CustomEvent("game"));
};

/** Reads the page again, after what is being read. */
export const renew = async () => {
  await reading?.catch(() => {});
  reading = read();
  return reading;
};

/** A player does not wait for the others, sees the board from their own side, and is called "you". */
export const readAs = (side) => {
  spread = 0;
  if (seenBy) return null;
  seenBy = side;
  return renew().catch(() => {});
};

const catchUp = async () => {
  // Many spectators hear of a move at the same moment, and do not all ask at once.
  await new Promise((resolve) => setTimeout(resolve, Math.random() * spread));
  if (wanted > shown) await renew().catch(() => {});
  if (wanted > shown) setTimeout(catchUp, AGAIN);
};

/** Hears of the game; a browser gives up a stream that was refused, because too many are open. */
const follow = () => {
  source = new EventSource(main.dataset.events);
  source.addEventListener("head", ({ data }) => {
    const known = wanted > shown;
    wanted = Math.max(wanted, Number(data));
    if (!known) catchUp();
  });
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, LATER * (1 + Math.random()));
  });
};

if (main.dataset.events) follow();
