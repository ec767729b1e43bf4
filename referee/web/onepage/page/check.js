// Judging a pasted game file, archive or move list, as `referee check` does.

import { element } from "../../../draw/templates/composer/elements.js";
import { answerOf, buttonOf, choiceOf, paperOf } from "./paper.js";

const GAME_FILE = "";

/** The room; `board(text, options)` shows a game that holds. */
export const checkRoom = ({ ask, games, board }) => {
  const paper = paperOf("A game file, an archive or a move list");
  const kinds = choiceOf("It is", [[GAME_FILE, "a game file or an archive"]]);
  const answer = answerOf();

  const judge = async () => {
    const game = kinds.input.value || null;
    const { said, verdicts, status, summary } = await ask("judge", { text: paper.text(), name: paper.name(), game });
    const one = verdicts.length === 1 && !verdicts[0].line;
    const places = verdicts
      .filter(() => one)
      .flatMap(({ findings }) => findings)
      .map(({ line, column, code }) =>
        element("li", {}, buttonOf(`Line ${line}, column ${column}: ${code}`, () => paper.point(line, column))),
      );
    return [
      element("p", { class: status ? "verdict wrong" : "verdict" }, status ? "This does not hold." : "All is well."),
      element("pre", { class: "said" }, said),
      ...(places.length ? [element("p", {}, "Go to"), element("ul", { class: "places" }, ...places)] : []),
      element("p", { class: "counts" }, summary),
      ...(one && !status ? [buttonOf("Show it on the board", () => board(paper.text(), { list: game }))] : []),
    ];
  };

  games.then((found) => {
    const lists = found.map(({ name, title }) => element("option", { value: name }, `a move list of ${title}`));
    kinds.input.append(...lists);
  });
  const panel = element(
    "section",
    {},
    element("h2", {}, "Check moves"),
    paper.root,
    kinds.root,
    buttonOf("Judge", () => answer.wait(judge)),
    answer.root,
  );
  return { id: "check", title: "Check", panel };
};
