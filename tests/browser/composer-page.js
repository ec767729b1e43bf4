// A page with one board to choose a move on: it tells the line to send.

import { compose } from "../../referee/draw/templates/composer/composer.js";

const { tree, board, key, previews } = JSON.parse(document.querySelector("#data").textContent);
const line = document.querySelector("#line");

compose(document.querySelector("#composer"), { tree, board }, {
  key,
  preview: async (text) => previews[text] ?? null,
  confirm: ({ text }) => {
    line.textContent = text;
    line.parentElement.hidden = false;
    getSelection().selectAllChildren(line);
  },
});
