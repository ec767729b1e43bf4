// The first screen: what one can do here, and what was begun.

import { element } from "../../../draw/templates/composer/elements.js";
import { buttonOf } from "./paper.js";

const WAYS = [
  ["engine", "Play the engine", "Hints, moves taken back, and every move explained.", "Choose a game"],
  ["duel", "Play a friend", "No server: you pass short messages, and the page keeps both of you honest.", "Begin, or paste a message"],
  ["play", "Study a game", "Step through it, try other moves, and keep them as variations.", "Open, or paste a game"],
  ["check", "Check a game", "Is every move legal? Game files, archives and lists of moves.", "Choose a file, or paste"],
];

/**
 * The room; `pictures` has one for each way, `show(id)` opens a room, `learn(game)` a lesson, and `rooms` may have
 * lists of what was begun.
 */
export const homeRoom = ({ pictures, rooms, games, show, learn }) => {
  const cards = WAYS.map(([id, title, says, act], place) =>
    element(
      "li",
      { class: "card game-card" },
      element("img", { src: pictures[place], width: "400", height: "320", alt: "" }),
      element("div", { class: "stack" }, element("h3", {}, title), element("p", { class: "small" }, says)),
      element("div", {}, Object.assign(buttonOf(act, () => show(id)), { className: "primary" })),
    ),
  );
  const list = element("ul", { class: "buttons" });
  const going = element("section", { class: "stack", hidden: "" }, element("h3", {}, "Go on"), list);
  const update = () => {
    const begun = rooms.flatMap(({ id, again }) => [...(again?.querySelectorAll("button") ?? [])].map((one) => [id, one]));
    going.hidden = !begun.length;
    list.replaceChildren(
      ...begun.map(([id, one]) => {
        const open = () => {
          show(id);
          one.click();
        };
        return element("li", {}, buttonOf(one.textContent.replace("Go on: ", ""), open));
      }),
    );
  };
  const watch = new MutationObserver(update);
  for (const { again } of rooms) if (again) watch.observe(again, { childList: true });
  const lessons = element("p", { class: "row" });
  games.then((found) => lessons.append("New here? Learn a game in two minutes:", ...found.map(({ name, title }) => buttonOf(title, () => learn(name)))));
  const panel = element(
    "section",
    {},
    element("h2", {}, "What would you like to do?"),
    element("p", { class: "soft" }, "Everything stays on this device: this page reaches no network."),
    element("ul", { class: "grid four wide-list" }, ...cards),
    going,
    lessons,
  );
  return { id: "home", title: "Start", panel };
};
