// Pictures from text: only shapes get into the page, without style sheets, addresses and handlers.

import { shape } from "./elements.js";

const SHAPES = new Set(["g", "polygon", "polyline", "circle", "text"]);
const KEPT = ["class", "points", "cx", "cy", "r", "x", "y", "font-size", "viewBox", "font-family"];

const grown = (source) => {
  const made = shape(source.localName);
  for (const key of KEPT) if (source.hasAttribute(key)) made.setAttribute(key, source.getAttribute(key));
  made.style.strokeWidth = source.getAttribute("data-width") ?? "";
  if (source.localName === "text") made.textContent = source.textContent;
  else made.append(...[...source.children].filter((one) => SHAPES.has(one.localName)).map(grown));
  return made;
};

// A policy may forbid style sheets and style attributes even in what is only read, but not what a script sets.
const unstyled = (source) =>
  source.replace(/<style>[^<]*<\/style>/, "").replace(/ style="stroke-width: ([\d.]+)"/g, ' data-width="$1"');

/** A picture as an element; screen readers get its content in other ways. */
export const pictureOf = (source) => {
  const root = new DOMParser().parseFromString(unstyled(source), "image/svg+xml").documentElement;
  if (root.localName !== "svg") throw new Error("expected a picture as SVG");
  const made = grown(root);
  made.setAttribute("aria-hidden", "true");
  return made;
};
