// One duel: its board, what is to be sent, and what the other side has sent.

import { compose } from "../../../draw/templates/composer/composer.js";
import { element } from "../../../draw/templates/composer/elements.js";
import { plainAddress } from "./address.js";
import { paintOf } from "./paint.js";
import { buttonOf, outgoingOf, saveAs, triedIn } from "./paper.js";
import { trialsOf } from "./trials.js";

const LONGEST_LINK = 8000;
const CHEAT = "cheat";

const refused = (message) => Object.assign(new Error(message), { told: true });

/** A duel in an element; `duels` keeps it, and `changed()` is called when the kept ones have changed. */
export const matchOf = (root, { ask, duels, changed }) => {
  const paint = paintOf(root);
  let told = null;
  let board = null;
  let composer = null;

  const title = element("h3", { class: "title", tabindex: "-1" });
  const outwards = element("h3", { tabindex: "-1" });
  const standing = element("ul", { class: "happened", "aria-label": "How the duel stands" });
  const news = element("ul", { class: "happened", "aria-label": "What has come" });
  const remarks = element("ul", { class: "happened remarks", "aria-label": "What is wrong with it" });
  const fault = element("p", { class: "fault", role: "alert" });
  const warning = element("p", { class: "fault", role: "status" });
  const hint = element("p");
  const place = element("section", { class: "composer", "aria-label": "Choose a move of the duel" });
  const offer = element("input", { type: "checkbox" });
  const offering = element("label", { class: "switch" }, offer, "Offer a draw along with the move");
  const claims = element("span", { class: "buttons" });
  const outgoing = outgoingOf("The message to send");

  const tried = triedIn(fault);

  /** Asks for a change of the duel as it is kept, and keeps what comes of it before anything is shown. */
  const change = async (call, asked, player = told) => {
    const before = await duels.find(player);
    if (!before) throw refused("This duel is no longer kept here.");
    const next = await ask(call, { state: before.state, ...asked });
    await show(next, (kept) => {
      if (kept?.state !== before.state) throw refused("This duel was changed in another tab: try again.");
    });
  };

  const position = () => ({ file: told.file, plies: told.line, side: told.side, view: told.side });
  const { preview, judge } = trialsOf(ask, position);

  const confirm = async ({ text }) => {
    const done = await tried(() => change("duel-play", { lines: offer.checked ? [text, "offer draw"] : [text] }));
    if (!done) composer.update(board, "The move was not made.");
  };
  const say = (...lines) => tried(() => change("duel-play", { lines }));

  /** Shows the board; a draft stays where it is the same as before, and the player may still move. */
  const draw = async (before) => {
    board = await ask("show", { ...position(), chooses: told.owes });
    paint(board.style);
    const same = before?.id === told.id && before.line.length === told.line.length;
    const heard = told.owes ? "It is your move." : "You have no move to make now.";
    if (composer) composer.update(board, same && told.owes ? "" : heard);
    else composer = compose(place, board, { key: "duel", confirm, preview, judge });
  };

  const rows = (texts) => texts.map((text) => element("li", {}, text));

  /** Keeps a duel and shows it, unless `unless` refuses that because of the one that is kept already. */
  const show = async (next, unless = () => {}) => {
    const before = told;
    let sent = 0;
    const kept = await duels.keep(next, (old) => {
      unless(old);
      sent = old?.sent ?? 0;
    });
    const said = next.sent > sent;
    shelf.setAttribute("aria-busy", "true");
    told = next;
    warning.textContent = kept ? "" : "This browser keeps nothing: save the file of this duel before you go on.";
    title.textContent = `${told.title}: you play ${told.side} against ${told.other}`;
    standing.replaceChildren(...rows(told.standing));
    news.replaceChildren(...rows(told.news));
    remarks.replaceChildren(
      ...told.remarks.map(({ code, message, weight }) =>
        element(
          "li",
          { class: weight },
          element("strong", {}, weight === CHEAT ? `Cheat, ${code}` : code),
          `: ${message}`,
          weight === CHEAT ? ". It changes nothing, and is kept as a proof." : "",
        ),
      ),
    );
    hint.textContent = told.seals ? "Both sides move at once: your move is sealed until your friend is bound, too." : "";
    offer.checked = false;
    offering.hidden = !told.owes;
    accept.hidden = !(told.offered && told.owes);
    silent.hidden = !told.silent;
    resigning.hidden = told.over;
    resigning.open = forgetting.open = false;
    claims.replaceChildren(...told.claims.map((end) => buttonOf(`Claim ${end}`, () => say(`claim ${end}`))));
    sending.hidden = !told.text;
    outwards.textContent = said ? "Send this to your friend" : "Your newest message, if your friend does not have it yet";
    outgoing.show(told.text);
    link.hidden = told.link.length > LONGEST_LINK;
    shelf.hidden = false;
    await changed();
    await draw(before);
    shelf.setAttribute("aria-busy", "false");
    // What comes next is in sight: what is to be sent, or the board.
    (said ? outwards : title).focus();
  };

  const accept = buttonOf("Accept the draw", () => say("accept"));
  const silent = buttonOf("Make a message without a move", () => say());
  const resigning = element(
    "details",
    {},
    element("summary", {}, "Resign"),
    buttonOf("Yes, I resign", () => say("resign")),
  );
  const forgetting = element(
    "details",
    {},
    element("summary", {}, "Forget this duel"),
    element("p", {}, "Without its file you cannot go on with it, and nobody can reveal your sealed move."),
    buttonOf("Forget it for good", () => {
      duels.forget(told);
      shelf.hidden = true;
      told = null;
      changed();
    }),
  );

  const copy = buttonOf("Copy the message", () => outgoing.copy(told.text, "The message"));
  const link = buttonOf("Copy it as a link", () =>
    outgoing.copy(`${plainAddress()}${told.link}`, "The link"),
  );
  const share = buttonOf("Share it", () => navigator.share({ text: told.text }).catch(() => {}));
  share.hidden = !navigator.share;
  const sending = element(
    "section",
    { class: "sending", "aria-label": "To send" },
    outwards,
    outgoing.root,
    element("div", { class: "buttons" }, copy, link, share),
  );

  const out = (words, form, type, suffix) =>
    buttonOf(words, () =>
      tried(async () => {
        const { text } = await ask("duel-export", { state: told.state, form });
        saveAs(`${told.id}.${suffix}`, type, text);
      }),
    );
  const shelf = element(
    "div",
    { class: "duelled", hidden: "" },
    title,
    element("div", { role: "alert" }, remarks),
    element("div", { role: "status" }, news),
    standing,
    warning,
    fault,
    hint,
    place,
    element("div", { class: "line" }, offering, accept, silent, claims),
    sending,
    resigning,
    element("h3", {}, "Take it with you"),
    element(
      "div",
      { class: "buttons" },
      buttonOf("Save the file of this duel", () => saveAs(`${told.id}.duel`, "application/json", told.state)),
      out("Save the game file", "yaml", "text/yaml", "yaml"),
      out("Save the record as a page", "html", "text/html", "html"),
      out("Save the board as SVG", "svg", "image/svg+xml", "svg"),
      out("Save all messages", "messages", "text/plain", "txt"),
    ),
    element(
      "p",
      {},
      "The file of the duel is for your eyes only; the command referee duel goes on with it. Play on in one place: " +
        "messages from two copies of a file look like cheating.",
    ),
    forgetting,
  );
  root.append(shelf);

  return {
    show,
    /** Reads a text of the other side into the duel of a player. */
    async read(player, text) {
      fault.textContent = "";
      await change("duel-read", { text }, player);
    },
    /** The duel that is shown; null if there is none. */
    player: () => told,
  };
};
