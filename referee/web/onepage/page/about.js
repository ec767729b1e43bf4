// What the page is made of.

import { element } from "../../../draw/templates/composer/elements.js";

export const aboutRoom = ({ version, digest, parts }) => {
  const cells = (name, values) => values.map((value) => element(name, name === "th" ? { scope: "col" } : {}, value));
  const rows = parts.map((one) =>
    element("tr", {}, ...cells("td", [one.name, one.version, String(one.size), one.digest])),
  );
  const table = element(
    "table",
    {},
    element("thead", {}, element("tr", {}, ...cells("th", ["Part", "Version", "Bytes", "SHA-256"]))),
    element("tbody", {}, ...rows),
  );
  const panel = element(
    "section",
    {},
    element("h2", {}, "About this page"),
    element("p", {}, `It runs referee ${version} in this browser. Digest of all parts: `, element("code", {}, digest)),
    element("p", {}, "A page can make any claim about itself. If you have referee installed, compare this file with it:"),
    element("pre", { class: "said" }, "referee page --verify referee.html --pyodide DIR"),
    element(
      "p",
      {},
      "Python in it is Pyodide (Mozilla Public License 2.0; its source is at github.com/pyodide/pyodide) with CPython " +
        "(Python Software Foundation License). The licences of the other libraries are among their files.",
    ),
    element("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "The parts of this page" }, table),
  );
  return { id: "about", title: "About", panel };
};
