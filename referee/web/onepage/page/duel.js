// Playing with a friend by messages alone, as `referee duel` does.

import { element } from "../../../draw/templates/composer/elements.js";
import { duelsOf } from "./duels.js";
import { matchOf } from "./match.js";
import { gameChoiceOf, sideChoiceOf } from "./options.js";
import { answerOf, buttonOf, fieldOf, paperOf } from "./paper.js";

const NAME = { maxlength: "40", autocomplete: "nickname" };

/** The same as `ask`, with the code of a fault before its message. */
const withCodes = (ask) => async (call, asked) => {
  try {
    return await ask(call, asked);
  } catch (error) {
    if (error.told && error.code !== "file") error.message = `${error.code}: ${error.message}`;
    throw error;
  }
};

export const duelRoom = ({ ask: plainAsk, games, memory }) => {
  const ask = withCodes(plainAsk);
  const duels = duelsOf(memory);
  const answer = answerOf();
  const place = element("div", { class: "place", id: "duel-place" });
  const paper = paperOf("A message from your friend, or a link with one", 4);
  const again = element("ul", { class: "buttons", "aria-label": "Duels kept in this browser" });

  const list = async () =>
    again.replaceChildren(
      ...(await duels.all()).map((one) =>
        element(
          "li",
          {},
          buttonOf(`${one.over ? "Look at" : "Go on"}: ${one.title} with ${one.other}, ${one.id}, ${one.side}`, () =>
            answer.wait(async () => {
              await match.show(await ask("duel-keep", { state: (await duels.find(one)).state }));
              return settled();
            }),
          ),
        ),
      ),
    );
  const match = matchOf(place, { ask, duels, changed: list });
  addEventListener("storage", list);

  const settled = () => {
    begin.open = bring.open = check.open = false;
    return [];
  };

  const proposal = (text, { title, name: from, side, options }) => {
    const mine = fieldOf("Your name", NAME);
    const chosen = Object.entries(options).map(([key, value]) => element("li", {}, `${key}: ${value}`));
    return [
      element("p", { class: "verdict" }, `${from} asks you to play ${side} in ${title}.`),
      element("ul", { class: "happened" }, ...chosen),
      mine.root,
      buttonOf("Accept the challenge", () =>
        answer.wait(async () => {
          await match.show(await ask("duel-join", { text, name: mine.input.value }));
          paper.write("");
          return settled();
        }),
      ),
    ];
  };

  /** Reads a text into the duel that it belongs to; shows what it proposes if that is a new one. */
  const receive = (text) =>
    answer.wait(async () => {
      const { messages } = await ask("duel-sort", { text });
      const known = await duels.of(messages);
      const proposed = messages.find(({ proposes }) => proposes);
      if (!known && proposed) return proposal(text, proposed.proposes);
      const player = known ?? match.player();
      if (!player) {
        await ask("duel-join", { text, name: "" });
        return [];
      }
      await match.read(player, text);
      paper.write("");
      return settled();
    });

  const sides = sideChoiceOf("You play");
  const name = fieldOf("Your name", NAME);
  const start = buttonOf("Open the duel", () =>
    answer.wait(async () => {
      const asked = { game: kinds.game(), options: kinds.options(), side: sides.input.value, name: name.input.value };
      await match.show(await ask("duel-begin", asked));
      return settled();
    }),
  );
  const playable = Promise.all([games, plainAsk("duel-games")]).then(([all, { games: names }]) =>
    all.filter((one) => names.includes(one.name)),
  );
  const kinds = gameChoiceOf("The game of the duel", { games: playable, buttons: [start], further: sides.fillFor });
  kinds.ready.catch(() => {});
  const begin = element(
    "details",
    { open: "" },
    element("summary", {}, "Challenge a friend"),
    ...kinds.roots,
    sides.root,
    name.root,
    start,
  );

  const file = paperOf("The file of a duel", 4);
  const bring = element(
    "details",
    {},
    element("summary", {}, "Go on with a file"),
    file.root,
    buttonOf("Go on with it", () =>
      answer.wait(async () => {
        const told = await ask("duel-keep", { state: file.text() });
        const kept = await duels.find(told);
        if (kept && kept.state !== told.state) {
          const said = "This duel is kept here in another state: forget it first if the file is the newer one.";
          return [element("p", { class: "wrong" }, said)];
        }
        await match.show(told);
        file.write("");
        return settled();
      }),
    ),
  );

  const transcript = paperOf("All messages of a duel", 4);
  const check = element(
    "details",
    {},
    element("summary", {}, "Check all messages of a duel"),
    transcript.root,
    buttonOf("Check them", () =>
      answer.wait(async () => {
        const { said, remarks, clean } = await ask("duel-check", { text: transcript.text() });
        const lines = [...remarks.map(({ code, message }) => `${code}: ${message}`), ...said];
        return [
          element("p", { class: clean ? "verdict" : "verdict wrong" }, clean ? "The messages hold." : "Something is wrong."),
          element("pre", { class: "said" }, lines.map((line) => `${line}\n`).join("")),
        ];
      }),
    ),
  );

  const panel = element(
    "section",
    {},
    element("h2", {}, "Play with a friend"),
    element(
      "p",
      {},
      "You need no server: send your messages by any messenger or by mail, and paste what comes back. This page checks " +
        "everything that your friend says. Your friend needs this page, too, or the command referee duel.",
    ),
    again,
    paper.root,
    buttonOf("Read it", () => receive(paper.text())),
    answer.root,
    begin,
    bring,
    check,
    place,
  );
  list();
  return { id: "duel", title: "Duel", panel, again, receive };
};
