"use strict";

// The function that draws a picture into a board: its number in the gallery's table of nodes.
// A node is a text, or [name, attributes] for an empty element, or the number of one and those of what is in it.
const boardOf = (nodes, board) => {
  const grown = new WeakMap();
  const grow = (number) => {
    const node = nodes[number];
    if (typeof node === "string") return node;
    const [first, ...rest] = node;
    let element;
    if (typeof first === "string") {
      element = document.createElementNS(board.namespaceURI, first);
      for (const [key, value] of Object.entries(rest[0])) element.setAttribute(key, value);
    } else {
      element = grow(first);
      element.append(...rest.map(grow));
    }
    grown.set(element, number);
    return element;
  };

  // What the last picture has in common with this one stays in the page.
  return (number) => {
    const [root, ...children] = nodes[number];
    const [, attributes] = nodes[root];
    const here = new Map([...board.children].map((element) => [grown.get(element), element]));
    const style = board.querySelector("style");
    for (const key of ["viewBox", "class", "aria-labelledby"]) board.setAttribute(key, attributes[key]);
    board.replaceChildren(...children.map((child) => here.get(child) ?? grow(child)), style);
  };
};
