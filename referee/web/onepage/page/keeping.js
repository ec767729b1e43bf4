// What the page says of the key to what the browser keeps, and of what it cannot read.

import { element } from "../../../draw/templates/composer/elements.js";
import { buttonOf, outgoingOf, saveAs } from "./paper.js";

const LOCKED =
  "What you keep here is locked, and the only key is in the address of this page. Bookmark the page, and open it by the " +
  "bookmark: then your games, duels and sealed moves are here again. Without the key nobody can unlock them. Keep the " +
  "whole address to yourself; the links that this page copies leave the key out.";
const KEEPS_NOTHING =
  "This browser keeps nothing of this page now: save what you want to go on with before you close it. It can keep things " +
  "if the page is opened from disk or by https, and if there is room in its storage.";
const OTHER_KEYS =
  "Things are kept in this browser that another key locks. To go on with them, open the page by the bookmark with that " +
  "key. They stay as they are.";
const SET_ASIDE =
  "Some of what was kept here could not be read. It is set aside, and all the rest is here. “Save what is kept” has both.";

/** The state of a memory in words; `fresh` is true if its key was made for this visit. */
const noticesOf = ({ own, others, aside, keeps }, fresh) => [
  ...(keeps ? [] : [KEEPS_NOTHING]),
  ...(aside ? [SET_ASIDE] : []),
  ...(others && !own ? [OTHER_KEYS] : []),
  ...(keeps && own && fresh ? [LOCKED] : []),
];

/** Shows the kept things; `update()` gives it another state. */
export const keepingOf = (memory, fresh) => {
  const notices = element("div", { role: "status" });
  const outgoing = outgoingOf("The address with your key");
  const forget = buttonOf("Forget what was set aside", () => memory.forgetAside());
  const root = element(
    "details",
    { class: "keeping" },
    element("summary", {}, "Kept in this browser"),
    notices,
    element(
      "div",
      { class: "buttons" },
      buttonOf("Copy the address with your key", () => outgoing.copy(location.href, "The address")),
      buttonOf("Save what is kept", async () =>
        saveAs("referee-kept.json", "application/json", `${JSON.stringify(await memory.everything(), null, 1)}\n`),
      ),
      forget,
    ),
    outgoing.root,
  );
  let told = null;
  const update = async () => {
    const state = await memory.state();
    const news = noticesOf(state, fresh);
    forget.hidden = !state.aside;
    if (told === news.join("\n")) return;
    told = news.join("\n");
    notices.replaceChildren(...(news.length ? news : [LOCKED]).map((one) => element("p", {}, one)));
    root.open = Boolean(news.length);
  };
  return { root, update };
};
