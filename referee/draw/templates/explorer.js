(() => {
  const one = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];

  const { hint, nodes, starts } = JSON.parse(one("#data").textContent);
  const draw = boardOf(nodes, one("svg.board"));
  const caption = one("figcaption");
  const choice = one("select");
  const line = one(".line ol");
  const table = one(".next tbody");
  const whole = new Intl.NumberFormat("en");
  const counted = (games) => `${whole.format(games)} ${games === 1 ? "game" : "games"}`;

  // Every place by its number, with its start and the place before it.
  const places = [];
  for (const [number, start] of starts.entries()) {
    for (const [step, state, results, replies] of start.places) {
      const games = results.reduce((sum, more) => sum + more, 0);
      places.push({ number: places.length, start: number, step, state, results, replies, games });
    }
  }
  for (const place of places) for (const reply of place.replies) places[reply].before = place.number;

  const views = starts.map((start) => Object.keys(start.views)[0]);
  let here = places[0];

  const element = (name, attributes, ...inside) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...inside);
    return made;
  };

  const path = (place) => (place.before === undefined ? [place] : [...path(places[place.before]), place]);

  // Whole percentages: equal numbers have equal ones, so together they may be 99 or 101.
  const percentages = (numbers) => {
    const total = numbers.reduce((sum, more) => sum + more, 0);
    return numbers.map((number) => `${Math.round((100 * number) / total)}%`);
  };

  const told = ({ start, results }) => {
    const shares = percentages(results);
    return starts[start].results
      .map((name, at) => `${name} ${shares[at]}`)
      .filter((_, at) => results[at])
      .join(", ");
  };

  // A bar of the results; the words beside it say the same.
  const bar = ({ start, results, games }) => {
    const { winners } = starts[start];
    const space = "http://www.w3.org/2000/svg";
    const drawn = document.createElementNS(space, "svg");
    const given = { class: "bar", viewBox: "0 0 100 1", preserveAspectRatio: "none", "aria-hidden": "true" };
    for (const [key, value] of Object.entries(given)) drawn.setAttribute(key, value);
    let from = 0;
    for (const [at, number] of results.entries()) {
      const part = document.createElementNS(space, "rect");
      const width = (100 * number) / games;
      const name = at < winners ? `win-${at % 4}` : `other-${(at - winners) % 2}`;
      const shape = { x: from, y: 0, width, height: 1, class: name };
      for (const [key, value] of Object.entries(shape)) part.setAttribute(key, value);
      drawn.append(part);
      from += width;
    }
    return drawn;
  };

  // Moves that are made at once have a line each.
  const link = (place, text) => {
    const made = element("a", { class: "step", href: `#place-${place.number}` }, text.replaceAll(" | ", " |\n"));
    if (place === here) made.setAttribute("aria-current", "step");
    return made;
  };

  const row = (place, share) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, link(place, place.step)),
      element("td", { class: "number" }, `${whole.format(place.games)} (${share})`),
      element("td", {}, bar(place), told(place)),
    );

  const picture = () => {
    const start = starts[here.start];
    draw(start.views[views[here.start]][here.number - start.first]);
    for (const box of all(".switch input")) box.parentElement.hidden = !one(`svg.scene .${box.id}`);
  };

  const show = (place) => {
    here = place;
    picture();
    caption.textContent = `${place.step ? `After ${place.step}` : "The start"}: ${counted(place.games)}. ${place.state}`;
    line.replaceChildren(...path(place).map((each) => element("li", {}, link(each, each.step || "The start"))));
    one(".here").textContent = `${counted(place.games)}: ${told(place)}.`;
    const replies = place.replies.map((number) => places[number]);
    const rest = replies.reduce((left, reply) => left - reply.games, place.games);
    const shares = percentages([...replies.map((reply) => reply.games), rest]);
    table.replaceChildren(...replies.map((reply, at) => row(reply, shares[at])));
    one(".next table").hidden = !replies.length;
    const more = replies.length ? "" : ` ${hint}`;
    one(".rest").textContent = rest ? `${counted(rest)} with rarer or no further moves.${more}` : "";
    for (const group of all("[data-start]")) group.hidden = Number(group.dataset.start) !== place.start;
    if (choice) choice.value = place.start;
    for (const button of all("[data-to]")) {
      const idle = button.dataset.to === "next" ? !replies.length : place.before === undefined;
      button.setAttribute("aria-disabled", idle);
    }
  };

  const go = (number) => {
    if (number === undefined) return;
    location.hash = `#place-${number}`;
  };

  const follow = () => {
    const [, number] = location.hash.match(/^#place-(\d+)$/) ?? [];
    const inside = table.contains(document.activeElement) || line.contains(document.activeElement);
    show(places[Number(number ?? 0)] ?? places[0]);
    if (inside) (one(".next a") ?? one("[data-to=back]")).focus();
  };

  const to = {
    start: () => starts[here.start].first,
    back: () => here.before,
    next: () => here.replies[0],
  };
  const keys = { Home: to.start, ArrowLeft: to.back, ArrowRight: to.next };

  for (const button of all("[data-to]")) button.addEventListener("click", () => go(to[button.dataset.to]()));
  for (const [number] of starts.entries()) {
    for (const radio of all(`input[name=view-${number}]`)) {
      if (radio.checked) views[number] = radio.value;
      radio.addEventListener("change", () => {
        views[number] = radio.value;
        picture();
      });
    }
  }
  choice?.addEventListener("change", () => go(starts[Number(choice.value)].first));
  addEventListener("hashchange", follow);
  addEventListener("keydown", (event) => {
    const held = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (held || event.target.closest?.("input:not([type=checkbox]), select")) return;
    const moves = all(".next a");
    const at = moves.indexOf(document.activeElement);
    if (event.key in keys) {
      event.preventDefault();
      go(keys[event.key]());
    } else if (["ArrowDown", "ArrowUp"].includes(event.key) && at >= 0) {
      event.preventDefault();
      moves[at + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
    }
  });

  for (const part of all(".live")) part.hidden = false;
  one(".tree").hidden = true;
  follow();
})();
