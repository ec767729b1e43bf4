// The text field: it takes what letters take, completes moves, and shows where a text goes wrong.

import { element } from "./elements.js";

const MOST = 40;
let fields = 0;

/**
 * A field in an element.
 *
 * `judge(text)` resolves to `{move}` with the canonical text, or to `{column, message, suggestions}`. `take(move)` is
 * called with a move that was found, and `typed(text)` with every change.
 */
export const entryOf = (root, { judge, take, typed, like }) => {
  // Several fields can be on one page.
  const number = (fields += 1);
  const own = (name) => `${name}-${number}`;
  const field = element("input", {
    id: own("typed"),
    list: own("completions"),
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: "100",
    "aria-describedby": own("fault"),
  });
  const completions = element("datalist", { id: own("completions") });
  const caret = element("pre", { "aria-hidden": "true" });
  const message = element("p", { id: own("fault"), class: "fault", role: "status" });
  const suggestions = element("ul", { class: "suggestions" });
  const form = element(
    "form",
    { class: "entry" },
    element("label", { for: own("typed") }, "Or type the move"),
    element("div", { class: "line" }, field, element("button", { type: "submit" }, "Check")),
    completions,
    caret,
    message,
    suggestions,
  );
  root.append(form);

  const clear = () => {
    caret.textContent = "";
    message.textContent = "";
    suggestions.replaceChildren();
    field.removeAttribute("aria-invalid");
  };

  const complete = () => {
    const found = like(field.value, MOST);
    completions.replaceChildren(...found.map(({ text }) => element("option", { value: text })));
  };

  const blame = (text, { column, message: said, suggestions: near = [] }) => {
    field.setAttribute("aria-invalid", "true");
    caret.textContent = `${text}\n${" ".repeat(Math.max(0, column - 1))}^`;
    message.textContent = `Column ${column}: ${said}${near.length ? `. Try: ${near.join("; ")}` : ""}`;
    suggestions.replaceChildren(
      ...near.map((move) => {
        const button = element("button", { type: "button" }, move);
        button.addEventListener("click", () => {
          field.value = move;
          look();
        });
        return element("li", {}, button);
      }),
    );
  };

  let asked = 0;
  const look = async () => {
    const text = field.value;
    const request = (asked += 1);
    const verdict = await judge(text);
    // Somebody may have typed on while the answer was on its way.
    if (request !== asked || text !== field.value) return;
    clear();
    if (verdict.move !== undefined) take(verdict.move);
    else blame(text, verdict);
  };

  field.addEventListener("input", () => {
    clear();
    complete();
    typed(field.value);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    look();
  });
  complete();

  return {
    set(text) {
      if (field.value === text) return;
      field.value = text;
      clear();
      complete();
    },
    refresh: complete,
  };
};
