// The board: a picture, marks over it, and a button on every target that has a place.

import { ARROWS, nearest, neighbour } from "./compass.js";
import { element, shape } from "./elements.js";
import { pictureOf } from "./picture.js";

/** Pixels: a touch this near to a place that can be chosen is meant for it; and how large a knob at least is. */
const NEAR = 22;
const KNOB = 34;

/** On a small screen, knobs at the corners of a square would cover its neighbours. */
const SMALL = matchMedia("(max-width: 55.99rem)");

const percent = (share) => `${(100 * share).toFixed(3)}%`;

/**
 * A board over a plate.
 *
 * `choose(number, byKeyboard)` is called with a choice, `back()` when the last choice is taken back, `say(text)`
 * with text for screen readers, and `resized()` when choices have to be offered elsewhere.
 */
export const surfaceOf = (plate, { choose, back, say, resized }) => {
  const grid = element("div", { role: "grid", "aria-label": "Board" });
  const marks = shape("svg", { class: "marks", "aria-hidden": "true" });
  plate.append(marks, grid);

  let targets = [];
  let outlines = [];
  let size = [1, 1];
  let places = [];
  let here = null;
  let lane = null;

  const boundsOf = (corners) => {
    const [xs, ys] = [0, 1].map((axis) => corners.map((point) => point[axis]));
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  };
  const cornersOf = ({ outline, x, y, grown = 1 }) => outlines[outline].map(([right, down]) => [x + grown * right, y + grown * down]);
  const radiusOf = ({ outline, grown = 1 }) => {
    const [left, top, right, bottom] = boundsOf(outlines[outline]);
    return (grown * Math.min(right - left, bottom - top)) / 2;
  };

  /** Shows a picture; `seen` says that it is the board as it would be, which needs no marks on what was chosen. */
  const show = (source, seen) => {
    const picture = pictureOf(source);
    size = picture.getAttribute("viewBox").split(" ").slice(2).map(Number);
    marks.setAttribute("viewBox", picture.getAttribute("viewBox"));
    marks.classList.toggle("seen", seen);
    plate.style.setProperty("--shape", size[0] / size[1]);
    plate.querySelector(":scope > svg.scene")?.remove();
    marks.before(picture);
  };

  const button = (place) => {
    const corners = cornersOf(place);
    const [left, top, right, bottom] = boundsOf(corners);
    const [width, height] = [right - left, bottom - top];
    const made = element("button", { type: "button", tabindex: "-1" });
    Object.assign(made.style, {
      left: percent(left / size[0]),
      top: percent(top / size[1]),
      width: percent(width / size[0]),
      height: percent(height / size[1]),
      clipPath: `polygon(${corners.map(([x, y]) => `${percent((x - left) / width)} ${percent((y - top) / height)}`).join(", ")})`,
    });
    if (place.beside) made.classList.add("beside");
    place.button = made;
  };

  // Rows of a grid, from buttons of the same height, for those who hear the board.
  const lay = () => {
    const rows = new Map();
    for (const place of places) rows.set(place.y, [...(rows.get(place.y) ?? []), place]);
    const byHeight = [...rows].sort(([one], [other]) => one - other);
    grid.replaceChildren(
      ...byHeight.map(([, row]) => {
        const cells = row.map((place) => element("div", { role: "gridcell" }, place.button));
        return element("div", { role: "row" }, ...cells);
      }),
    );
  };

  const point = (place) => {
    here = place;
    for (const one of places) one.button.tabIndex = one === here ? 0 : -1;
  };

  const mark = (place, kind) => {
    const round = kind.startsWith("knob") && { cx: place.x, cy: place.y, r: radiusOf(place) };
    const made = round ? shape("circle", { class: kind, ...round }) : shape("polygon", { class: kind, points: cornersOf(place).join(" ") });
    marks.append(made);
    return made;
  };

  /** Marks a place that can be chosen: a knob, a dot, or a ring around what is there. */
  const invite = (place, isFirst) => {
    const { phrase, sign, text } = targets[place.number];
    if (place.beside) {
      mark(place, "knob");
      const label = shape("text", { x: place.x, y: place.y });
      label.textContent = sign ?? text;
      label.style.fontSize = `${14 * (place.grown ?? 1)}px`;
      marks.append(label);
    } else if (phrase && !isFirst) {
      marks.append(shape("circle", { class: "swap", cx: place.x, cy: place.y, r: 0.84 * radiusOf(place) }));
    } else {
      marks.append(shape("circle", { class: "dot", cx: place.x, cy: place.y, r: 0.29 * radiusOf(place) }));
    }
  };

  /** Where the knobs around a place are: large enough for a finger, and within the picture. */
  const around = (origin, knobs) => {
    const scale = size[0] / (plate.clientWidth || size[0]);
    const smallest = Math.min(...knobs.map(radiusOf));
    const grown = Math.max(1, (KNOB * scale) / 2 / smallest);
    const spread = knobs.map((one) => ({ ...one, grown, x: origin[0] + grown * one.x, y: origin[1] + grown * one.y }));
    const [left, top, right, bottom] = boundsOf(spread.flatMap(cornersOf));
    const inwards = (low, high, most) => Math.max(0, 1 - low) - Math.max(0, high - most + 1);
    const [x, y] = [inwards(left, right, size[0]), inwards(top, bottom, size[1])];
    return spread.map((one) => ({ ...one, x: one.x + x, y: one.y + y }));
  };

  /** Whether a target stands at the corners of a square on a small screen: it is no place then, but a button below. */
  const isOff = ({ place, beside }, origin) => !place || Boolean(beside && origin && SMALL.matches && outlines[origin[2]].length === 4);

  /** Shows what is chosen and what can be, as numbers of targets; the choices that have no place on the board are left. */
  const offer = (path, choices) => {
    const open = new Set(choices);
    const focused = document.activeElement?.closest?.("[role=grid]") === grid;
    const before = here;
    const known = new Map(places.filter((one) => !one.beside).map((one) => [one.number, one]));
    const last = path.findLast((number) => targets[number].place && !targets[number].beside);
    const origin = last === undefined ? null : targets[last].place;
    const knobs = [];
    places = [];
    for (const [number, target] of targets.entries()) {
      if (isOff(target, origin)) continue;
      const { place, beside } = target;
      const [x, y, outline] = place;
      const made = known.get(number) ?? { number, outline, beside, x, y };
      if (!beside) places.push(made);
      else if (open.has(number) && origin) knobs.push(made);
    }
    // What lies around the last choice covers what is below it.
    const above = knobs.length ? around(origin, knobs) : [];
    const covers = (one, other) => Math.hypot(one.x - other.x, one.y - other.y) < radiusOf(one);
    places = [...places.filter((place) => !above.some((one) => covers(one, place))), ...above];
    marks.replaceChildren();
    const own = ({ number }) => targets[number].phrase && !open.has(number) && targets[number].phrase.startsWith("your ");
    const some = places.some(own);
    for (const place of places) {
      const { name, phrase } = targets[place.number];
      const chosen = path.includes(place.number);
      const free = open.has(place.number);
      if (!place.button) button(place);
      place.open = free;
      place.button.setAttribute("aria-label", `${name}${chosen ? ", chosen" : ""}${free ? ", can be chosen" : ""}`);
      place.button.setAttribute("aria-disabled", String(!free));
      if (chosen) mark(place, "from");
      // Pieces of one's own need no mark if all of them can be chosen.
      if (free && (path.length || !phrase || some)) invite(place, !path.length);
    }
    lay();
    const free = places.filter((one) => one.open);
    const kept = places.includes(before) && (before.open || !free.length) ? before : null;
    lane = null;
    point(kept ?? nearest(free.length ? free : places, before ?? { x: 0, y: 0 }));
    if (focused && here) here.button.focus();
    return choices.filter((number) => isOff(targets[number], origin));
  };

  const placeOf = (target) => places.find((place) => place.button === target.closest("button"));

  /** The place that a click is meant for: the one below it, or the nearest that can be chosen. */
  const meant = (event) => {
    const hit = placeOf(event.target);
    if (hit?.open || event.detail === 0) return hit;
    const box = grid.getBoundingClientRect();
    const [x, y] = [((event.clientX - box.left) / box.width) * size[0], ((event.clientY - box.top) / box.height) * size[1]];
    const near = nearest(places.filter((one) => one.open), { x, y });
    return near && Math.hypot(near.x - x, near.y - y) < (NEAR / box.width) * size[0] ? near : hit;
  };

  grid.addEventListener("click", (event) => {
    const place = meant(event);
    if (!place) return;
    const byKeyboard = event.detail === 0;
    point(place);
    lane = null;
    if (place.open) choose(place.number, byKeyboard);
    else say(`${targets[place.number].name}: it cannot be chosen now.`);
  });

  // Who points with a mouse sees the place below it; the keyboard needs a mark as well.
  const ring = (place, isHere) => {
    marks.querySelector(".here")?.remove();
    if (!place || !isHere) return;
    const made = mark(place, place.beside ? "knob here" : "here");
    if (place.beside) made.after([...marks.querySelectorAll("text")].find((one) => one.textContent === (targets[place.number].sign ?? targets[place.number].text)));
  };
  grid.addEventListener("focusin", (event) => {
    const place = placeOf(event.target);
    if (place) point(place);
    ring(here, here?.button.matches(":focus-visible"));
  });
  grid.addEventListener("focusout", () => ring(null));
  grid.addEventListener("pointerover", (event) => {
    const place = placeOf(event.target);
    if (event.pointerType === "mouse") ring(place, place?.open);
  });
  grid.addEventListener("pointerleave", () => ring(null));

  const leap = (event, place) => {
    event.preventDefault();
    if (place) place.button.focus();
  };

  grid.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !here) return;
    const free = places.filter((one) => one.open);
    const turn = (step) => free[(free.indexOf(here) + step + free.length) % free.length];
    if (event.key in ARROWS) {
      const [right, down] = ARROWS[event.key];
      // A row or a column is kept as long as the arrows go along it.
      if (lane?.right !== Math.abs(right)) lane = { x: here.x, y: here.y, right: Math.abs(right) };
      leap(event, neighbour(places, here, [right, down], lane));
      return;
    }
    lane = null;
    if (event.key === "Home") leap(event, free[0]);
    else if (event.key === "End") leap(event, free.at(-1));
    else if (event.key === "PageDown") leap(event, turn(1));
    else if (event.key === "PageUp") leap(event, here.open ? turn(-1) : free.at(-1));
    else if (event.key === "Backspace") {
      event.preventDefault();
      back();
    }
  });

  /** Goes on with the targets of another tree; the place on the board stays. */
  const renew = (tree) => {
    ({ targets, outlines } = tree);
    places = [];
  };

  SMALL.addEventListener("change", resized);

  const end = () => {
    SMALL.removeEventListener("change", resized);
    for (const one of [grid, marks, plate.querySelector(":scope > svg.scene")]) one?.remove();
  };

  return { renew, show, offer, end, focus: () => here?.button.focus(), places: () => places };
};
