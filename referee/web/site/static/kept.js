// The line that reveals a sealed move, for its player to keep: it stays to be read until it is sent.

const KEPT = "This browser keeps it, and sends it once all moves are in. Please keep it as well, on paper or in a file:";
const LOST = "This browser cannot keep it. Without this line you cannot reveal your move, so please keep it on paper or in a file:";

/** Copies a text; promises what came of it, in a sentence. */
export const copied = (text) =>
  navigator.clipboard.writeText(text).then(
    () => "Copied.",
    () => "This browser does not let the page copy: please select the line and copy it yourself.",
  );

/** What shows the line in an element that can be folded; `name()` is that of the file in which it can be saved. */
export const keptLine = (root, name) => {
  const told = root.querySelector("[data-told]");
  const shown = root.querySelector("output");
  const status = root.querySelector("[role=status]");
  const ways = Object.fromEntries([...root.querySelectorAll("[data-way]")].map((one) => [one.dataset.way, one]));

  ways.copy.hidden = !navigator.clipboard; // browsers give it only to pages that came over HTTPS
  ways.copy.onclick = async () => {
    status.textContent = await copied(shown.textContent);
  };
  ways.save.onclick = () => {
    const href = URL.createObjectURL(new Blob([`${shown.textContent}\n`], { type: "text/plain" }));
    Object.assign(document.createElement("a"), { href, download: name() }).click();
    setTimeout(() => URL.revokeObjectURL(href), 0);
  };

  return {
    /** Shows a line, and whether the browser keeps it. */
    show: (line, kept) => {
      told.textContent = kept ? KEPT : LOST;
      shown.textContent = line;
      status.textContent = "";
      root.open = true;
      root.hidden = false;
    },

    /** Only its heading is left to be seen. */
    fold: () => {
      root.open = false;
    },

    hide: () => {
      root.hidden = true;
      shown.textContent = "";
    },
  };
};
