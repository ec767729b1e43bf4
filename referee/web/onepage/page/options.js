// The options of a game as fields.

import { choiceOf, fieldOf } from "./paper.js";

/** The fields of a game's options; `values()` has those that differ from the defaults. */
export const optionsOf = (game) => {
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
