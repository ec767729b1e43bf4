// The board: a picture, marks over it, and a button on every target that has a place.

import { ARROWS, nearest, neighbour } from "./compass.js";
import { element, shape } from "./elements.js";
import { pictureOf } from "./picture.js";

const ZOOMS = [1, 1.5, 2, 3, 4];
const SMALL = 28;
const LARGE = 44;

const percent = (share) => `${(100 * share).toFixed(3)}%`;

/**
 * A board in an element.
 *
 * `choose(number, byKeyboard)` is called with a choice, `back()` when the last choice is taken back, `say(text)` with
 * text for screen readers, and `hint(text)` with text for the screen.
 */
export const surfaceOf = (root, { choose, back, say, hint }) => {
  const grid = element("div", { role: "grid", "aria-label": "Board" });
  const plate = element("div", { class: "plate" }, grid);
  const frame = element("div", { class: "frame" }, plate);
  const marks = shape("svg", { class: "marks", "aria-hidden": "true" });
  plate.prepend(marks);
  root.append(frame);

  let targets = [];
  let outlines = [];
  let size = [1, 1];
  let places = [];
  let here = null;
  let lane = null;
  let zoom = 0;
  let touched = false;

  const boundsOf = (corners) => {
    const [xs, ys] = [0, 1].map((axis) => corners.map((point) => point[axis]));
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  };
  const cornersOf = (place) => outlines[place.outline].map(([x, y]) => `${place.x + x},${place.y + y}`).join(" ");

  /** Shows a picture; `seen` says that it is the board as it would be, which needs no marks on what was chosen. */
  const show = (source, seen) => {
    const picture = pictureOf(source);
    size = picture.getAttribute("viewBox").split(" ").slice(2).map(Number);
    marks.setAttribute("viewBox", picture.getAttribute("viewBox"));
    marks.classList.toggle("seen", seen);
    frame.style.setProperty("--shape", size[0] / size[1]);
    plate.querySelector("svg.scene")?.remove();
    plate.prepend(picture);
    if (seen && zoom) scale(0, [0, 0], [0, 0]);
  };

  const button = (place) => {
    const [left, top, right, bottom] = boundsOf(outlines[place.outline]);
    const [width, height] = [right - left, bottom - top];
    const made = element("button", { type: "button", tabindex: "-1" });
    Object.assign(made.style, {
      left: percent((place.x + left) / size[0]),
      top: percent((place.y + top) / size[1]),
      width: percent(width / size[0]),
      height: percent(height / size[1]),
      clipPath: `polygon(${outlines[place.outline]
        .map(([x, y]) => `${percent((x - left) / width)} ${percent((y - top) / height)}`)
        .join(", ")})`,
    });
    if (place.beside) made.classList.add("beside");
    place.button = made;
    return made;
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

  const settle = () => {
    for (const place of places) place.button.tabIndex = place === here ? 0 : -1;
  };

  const point = (place) => {
    here = place;
    settle();
  };

  const mark = (place, kind) => {
    const made = shape("polygon", { class: kind, points: cornersOf(place) });
    marks.append(made);
    return made;
  };

  /** Shows what is chosen and what can be: `path` and `choices` are numbers of targets. */
  const offer = (path, choices) => {
    const open = new Set(choices);
    const focused = document.activeElement?.closest?.("[role=grid]") === grid;
    const before = here;
    const known = new Map(places.filter((one) => !one.beside).map((one) => [one.number, one]));
    const last = path.findLast((number) => targets[number].place && !targets[number].beside);
    const origin = last === undefined ? null : targets[last].place;
    places = [];
    for (const [number, { place, beside }] of targets.entries()) {
      if (!place || (beside && !(open.has(number) && origin))) continue;
      const [x, y, outline] = place;
      const spot = beside ? { x: x + origin[0], y: y + origin[1] } : { x, y };
      const made = known.get(number) ?? { number, outline, beside, ...spot };
      if (!made.button) button(made);
      places.push(made);
    }
    // What lies around the last choice covers what is below it.
    const above = places.filter((one) => one.beside);
    const covers = (one, other) => Math.hypot(one.x - other.x, one.y - other.y) < boundsOf(outlines[one.outline])[2];
    places = places.filter((place) => place.beside || !above.some((one) => covers(one, place)));
    marks.replaceChildren();
    for (const place of places) {
      const { name } = targets[place.number];
      const chosen = path.includes(place.number);
      const free = open.has(place.number);
      place.open = free;
      place.button.setAttribute("aria-label", `${name}${chosen ? ", chosen" : ""}${free ? ", can be chosen" : ""}`);
      place.button.setAttribute("aria-disabled", String(!free));
      if (chosen) mark(place, "chosen");
      if (free) mark(place, place.beside ? "open beside" : "open");
      if (free && place.beside) {
        const label = shape("text", { x: place.x, y: place.y });
        label.textContent = targets[place.number].text;
        marks.append(label);
      }
    }
    lay();
    const free = places.filter((one) => one.open);
    const kept = places.includes(before) && (before.open || !free.length) ? before : null;
    lane = null;
    point(kept ?? nearest(free.length ? free : places, before ?? { x: 0, y: 0 }));
    if (focused && here) here.button.focus();
  };

  const enlarge = (step) => {
    const middle = [frame.scrollLeft + frame.clientWidth / 2, frame.scrollTop + frame.clientHeight / 2];
    scale(zoom + step, middle, [frame.clientWidth / 2, frame.clientHeight / 2]);
  };

  /** Changes the size so that a point of the board stays at a point of the frame. */
  const scale = (next, [x, y], [left, top]) => {
    const before = ZOOMS[zoom];
    zoom = Math.max(0, Math.min(ZOOMS.length - 1, next));
    plate.style.setProperty("--zoom", ZOOMS[zoom]);
    frame.classList.toggle("large", zoom > 0);
    const grew = ZOOMS[zoom] / before;
    frame.scrollTo(x * grew - left, y * grew - top);
    say(zoom ? `The board is ${ZOOMS[zoom]} times as large.` : "The whole board is shown.");
  };

  /** Whether a touch on a small place enlarges the board first. */
  const loupe = (place, event) => {
    const box = place.button.getBoundingClientRect();
    const small = Math.min(box.width, box.height);
    if (!touched || small >= SMALL || zoom === ZOOMS.length - 1) return false;
    const wanted = ZOOMS.findIndex((one) => (one / ZOOMS[zoom]) * small >= LARGE);
    const edge = frame.getBoundingClientRect();
    const at = [event.clientX - edge.left, event.clientY - edge.top];
    scale(wanted < 0 ? ZOOMS.length - 1 : wanted, [at[0] + frame.scrollLeft, at[1] + frame.scrollTop], at);
    hint("The board is larger now: touch again to choose.");
    return true;
  };

  const placeOf = (target) => places.find((place) => place.button === target.closest("button"));

  plate.addEventListener("pointerdown", ({ pointerType }) => {
    touched = pointerType === "touch";
  });

  grid.addEventListener("click", (event) => {
    const place = placeOf(event.target);
    if (!place) return;
    const byKeyboard = event.detail === 0;
    point(place);
    lane = null;
    if (!place.open) say(`${targets[place.number].name}: it cannot be chosen now.`);
    else if (byKeyboard || !loupe(place, event)) choose(place.number, byKeyboard);
  });

  const ring = () => {
    marks.querySelector(".here")?.remove();
    // Whoever points sees where; only the keyboard needs a ring.
    if (here?.button.matches(":focus-visible")) mark(here, "here");
  };
  grid.addEventListener("focusin", (event) => {
    const place = placeOf(event.target);
    if (place) point(place);
    ring();
  });
  grid.addEventListener("focusout", () => marks.querySelector(".here")?.remove());

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

  /** Goes on with the targets of another tree; the size of the board and the place on it stay. */
  const renew = (tree) => {
    ({ targets, outlines } = tree);
    places = [];
  };

  return { renew, show, offer, enlarge, focus: () => here?.button.focus(), places: () => places };
};
