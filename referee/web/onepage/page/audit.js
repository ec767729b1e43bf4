// Auditing the log of a game from a desk, as `referee audit` does.

import { element } from "../../../draw/templates/composer/elements.js";
import { answerOf, buttonOf, fieldOf, paperOf, stackOf } from "./paper.js";

export const auditRoom = ({ ask }) => {
  const paper = paperOf("The log of a game");
  const head = fieldOf("The log head of a letter, if you have one");
  const heads = stackOf("Letters whose log heads must be in the log, or lines GAME NUMBER DIGEST");
  const letters = stackOf("Letters that brought the acts, as desk letters --export writes them, with their .keys");
  const strict = element("input", { type: "checkbox" });
  const answer = answerOf();
  const audit = async () => {
    const log = { text: paper.text(), name: paper.name(), head: head.input.value };
    const beside = { heads: await heads.files(), letters: await letters.files() };
    const compared = beside.heads.length || beside.letters.length;
    const { said, status } = compared
      ? await ask("letters", { ...log, ...beside, strict: strict.checked })
      : await ask("audit", log);
    return [
      element("p", { class: status ? "verdict wrong" : "verdict" }, status ? "Something is wrong." : "The log holds."),
      element("pre", { class: "said" }, said),
    ];
  };
  const panel = element(
    "section",
    {},
    element("h2", {}, "Audit a log"),
    paper.root,
    head.root,
    element(
      "details",
      {},
      element("summary", {}, "Compare it with letters"),
      heads.root,
      letters.root,
      element("label", { class: "switch" }, strict, "An act of a player without its letter is wrong"),
    ),
    buttonOf("Audit", () => answer.wait(audit)),
    answer.root,
  );
  return { id: "audit", title: "Audit", panel };
};
