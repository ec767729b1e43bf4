// Tabs: one room of the page at a time, by click or by the arrow keys.

import { element } from "../../../draw/templates/composer/elements.js";

const TURNS = { ArrowLeft: -1, ArrowRight: 1 };

/** Tabs in an element; each of `rooms` is `{id, title, panel}`, and `shown()` if it waits to be seen. Gives what opens one. */
export const tabsOf = (root, rooms) => {
  const list = element("div", { role: "tablist", "aria-label": "What the referee does", class: "tabs" });
  const tabs = rooms.map(({ id, title, panel }) => {
    const tab = element("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `room-${id}` }, title);
    Object.assign(panel, { id: `room-${id}` });
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    panel.classList.add("room");
    list.append(tab);
    return tab;
  });
  root.append(list, ...rooms.map(({ panel }) => panel));

  const open = (number) => {
    for (const [place, tab] of tabs.entries()) {
      tab.setAttribute("aria-selected", String(place === number));
      tab.tabIndex = place === number ? 0 : -1;
      rooms[place].panel.hidden = place !== number;
    }
    rooms[number].shown?.();
  };
  for (const [number, tab] of tabs.entries()) tab.addEventListener("click", () => open(number));
  list.addEventListener("keydown", ({ key }) => {
    if (!(key in TURNS)) return;
    const next = (tabs.indexOf(document.activeElement) + TURNS[key] + tabs.length) % tabs.length;
    open(next);
    tabs[next].focus();
  });
  open(0);
  return (id) => open(rooms.findIndex((room) => room.id === id));
};
