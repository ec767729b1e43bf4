// The choice of a game, and its options as fields.

import { element } from "../../../draw/templates/composer/elements.js";
import { choiceOf, fieldOf } from "./paper.js";

/** The fields of a game's options; `values()` has those that differ from the defaults. */
const optionsOf = (game) => {
  const fields = game.options.map((one) => {
    const values = one.values?.map((value) => [value, value]);
    const none = one.default === null || !one.values?.includes(one.default) ? [["", "default"]] : [];
    const bounds = { type: "number", min: one.low, max: one.high, value: one.default };
    const field = values ? choiceOf(one.says, [...none, ...values]) : fieldOf(one.says, bounds);
    if (values) field.input.value = one.default ?? "";
    return { ...field, one };
  });
  return {
    roots: fields.map(({ root }) => root),
    values: () =>
      Object.fromEntries(
        fields
          .filter(({ input, one }) => input.value && input.value !== String(one.default ?? ""))
          .map(({ input, one }) => [one.name, one.values ? input.value : Number(input.value)]),
      ),
  };
};

/** Gives a choice these values, as pairs of a value and its name. */
export const fill = ({ input }, pairs) =>
  input.replaceChildren(...pairs.map(([value, says]) => element("option", { value }, says)));

/**
 * The choice of a game with its options. `further(game)` gives more fields to put below them; the `buttons` wait until
 * the games are known, which is when the promise `ready` is kept.
 */
export const gameChoiceOf = (label, { games, buttons, further = () => [] }) => {
  const kinds = choiceOf(label, []);
  const fields = element("div", { class: "choices" });
  let chosen = null;
  for (const one of buttons) one.disabled = true;
  const ready = games.then((found) => {
    for (const one of buttons) one.disabled = false;
    fill(kinds, found.map(({ name, title }) => [name, title]));
    const settle = () => {
      const game = found.find(({ name }) => name === kinds.input.value);
      chosen = optionsOf(game);
      fields.replaceChildren(...chosen.roots, ...further(game));
    };
    kinds.input.addEventListener("change", settle);
    settle();
  });
  return { roots: [kinds.root, fields], ready, game: () => kinds.input.value, options: () => chosen.values() };
};

/** A choice of a game's sides, and what fills it for another game. */
export const sideChoiceOf = (label) => {
  const sides = choiceOf(label, []);
  const fillFor = (game) => {
    fill(sides, game.sides.map((side) => [side, side]));
    return [];
  };
  return { ...sides, fillFor };
};
