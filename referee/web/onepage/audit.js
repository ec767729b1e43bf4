// Auditing the log of a game from a desk, as `referee audit` does.

import { element } from "../../draw/templates/composer/elements.js";
import { answerOf, buttonOf, fieldOf, paperOf } from "./paper.js";

export const auditRoom = ({ ask }) => {
  const paper = paperOf("The log of a game");
  const head = fieldOf("The log head of a letter, if you have one");
  const answer = answerOf();
  const audit = async () => {
    const { said, status } = await ask("audit", { text: paper.text(), name: paper.name(), head: head.input.value });
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
    buttonOf("Audit", () => answer.wait(audit)),
    answer.root,
  );
  return { id: "audit", title: "Audit", panel };
};
