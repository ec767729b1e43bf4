"use strict";

// The function that draws a picture into a board: its number in the gallery's table of nodes.
// A node is [name, attributes, text, children]; children are numbers of nodes.
const boardOf = (nodes, board) => {
  const grown = new WeakMap();
  const grow = (number) => {
    const [name, attributes, text, children] = nodes[number];
    const element = document.createElementNS(board.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(text, ...children.map(grow));
    grown.set(element, number);
    return element;
  };

  // What the last picture has in common with this one stays in the page.
  return (number) => {
    const [, attributes, , children] = nodes[number];
    const here = new Map([...board.children].map((element) => [grown.get(element), element]));
    const style = board.querySelector("style");
    for (const key of ["viewBox", "class", "aria-labelledby"]) board.setAttribute(key, attributes[key]);
    board.replaceChildren(...children.map((child) => here.get(child) ?? grow(child)), style);
  };
};
