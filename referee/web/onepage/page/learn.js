// First lessons: each step with its picture, how a move is written, and the exact rules.

import { element } from "../../../draw/templates/composer/elements.js";
import { answerOf, choiceOf } from "./paper.js";

/** The room; `choose(game)` chooses a game, whose lesson is shown as soon as the room is. */
export const learnRoom = ({ ask, games }) => {
  const kinds = choiceOf("The game to learn", []);
  const answer = answerOf();

  const stepOf = ({ title, says, svg, alt }) => {
    const src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    const picture = element("img", { src, width: "346", height: "400", alt });
    return element("li", { class: "card" }, picture, element("div", {}, element("h3", {}, title), element("p", {}, says)));
  };
  const lesson = async () => {
    const { title, steps, forms, rules, credit } = await ask("lesson", { game: kinds.input.value });
    const written = forms.flatMap(({ write, says }) => [element("dt", {}, element("code", {}, write)), element("dd", {}, says)]);
    const told = Object.entries(rules).flatMap(([heading, all]) => [element("h4", {}, heading), ...all.map((one) => element("p", {}, one))]);
    return [
      element("h3", {}, title),
      element("ol", { class: "lesson" }, ...steps.map(stepOf)),
      element("section", { class: "prose" }, element("h3", {}, "How a move is written"), element("dl", { class: "forms" }, ...written)),
      element("section", { class: "prose" }, element("h3", {}, "The exact rules"), ...told, element("p", { class: "small soft" }, credit)),
    ];
  };
  let told = "";
  const shown = async () => {
    await games;
    if (told === kinds.input.value) return;
    told = kinds.input.value;
    answer.wait(lesson);
  };
  const choose = (game) => {
    kinds.input.value = game;
  };
  kinds.input.addEventListener("change", shown);
  games.then((found) => {
    kinds.input.append(...found.map(({ name, title }) => element("option", { value: name }, title)));
  });
  const intro = element("p", { class: "soft" }, "Two minutes a game: a few pictures, then the exact rules.");
  const panel = element("section", {}, element("h2", {}, "Learn a game"), intro, kinds.root, answer.root);
  return { id: "learn", title: "Learn", panel, choose, shown };
};
