// The colours of a game's board, which come with it and hold for it alone.

/** Gives what sets the style rules inside an element. */
export const paintOf = (root) => {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return (rules) => sheet.replaceSync(`#${root.id} {\n${rules}\n}`);
};
