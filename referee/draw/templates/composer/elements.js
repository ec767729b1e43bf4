// Elements of the page, and shapes of a picture; all text in them stays text.

const SVG = "http://www.w3.org/2000/svg";

const dressed = (made, attributes, inside) => {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
};

export const element = (name, attributes = {}, ...inside) =>
  dressed(document.createElement(name), attributes, inside);

export const shape = (name, attributes = {}, ...inside) =>
  dressed(document.createElementNS(SVG, name), attributes, inside);
