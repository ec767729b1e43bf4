// Keeps the page of a running game up to date: the desk says when the log has grown, and the page is read again.

const LIVE = ["standing", "show", "now", "moves", "file"];
const AGAIN = 5000;
const SPREAD = 1500;
const LATER = 30_000;

const main = document.querySelector("main");
let shown = Number(main.dataset.number);
let wanted = shown;
let busy = false;

/** A name by which a link, or the summary of something folded, is found in the new page. */
const nameOf = (one) => one.getAttribute("href") ?? one.parentElement.id;

/** Puts a part of the new page in the place of the old one; what is open stays open, what has the focus keeps it. */
function exchange(id, fresh) {
  const old = document.getElementById(id);
  const part = fresh.getElementById(id);
  if (!old || !part || old.innerHTML === part.innerHTML) return;
  const focus = old.contains(document.activeElement) ? nameOf(document.activeElement) : null;
  const open = [...old.querySelectorAll("details[open]")].map((one) => one.id);
  old.replaceChildren(...part.childNodes);
  for (const one of open) old.querySelector(`#${one}`)?.setAttribute("open", "");
  if (focus === null) return;
  old.tabIndex = -1; // what had the focus may be gone
  ([...old.querySelectorAll("a, summary")].find((one) => nameOf(one) === focus) ?? old).focus({ preventScroll: true });
}

async function renew() {
  if (busy || wanted === shown) return;
  busy = true;
  try {
    // Many spectators hear of a move at the same moment, and do not all ask at once.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * SPREAD));
    const answer = await fetch(location.pathname + location.search, { cache: "no-cache" });
    if (!answer.ok) throw new Error(answer.statusText);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const id of LIVE) exchange(id, fresh);
    document.title = fresh.title;
    const seat = fresh.getElementById("seat");
    const { turn = 0, movers = "" } = seat?.dataset ?? {};
    dispatchEvent(new CustomEvent("game", { detail: { turn: Number(turn), movers: movers.split(" ") } }));
    shown = Number(fresh.querySelector("main").dataset.number ?? wanted);
    if (!fresh.querySelector("main").dataset.events) source.close();
    if (shown < wanted) setTimeout(renew, AGAIN);
  } catch {
    setTimeout(renew, AGAIN);
  } finally {
    busy = false;
  }
}

let source;

/** Hears of the game; a browser gives up a stream that was refused, because too many are open. */
function follow() {
  source = new EventSource(main.dataset.events);
  source.addEventListener("head", ({ data }) => {
    wanted = Number(data);
    renew();
  });
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, LATER * (1 + Math.random()));
  });
}

follow();
