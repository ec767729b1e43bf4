(() => {
  const one = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];

  const { hint, names, nodes, starts } = JSON.parse(one("#data").textContent);
  const draw = boardOf(nodes, one("svg.board"));
  const caption = one("figcaption");
  const choice = one("select");
  const line = one(".line ol");
  const table = one(".next tbody");
  const whole = new Intl.NumberFormat("en");
  const counted = (games) => `${whole.format(games)} ${games === 1 ? "game" : "games"}`;

  // Fewer games than these have no percentages.
  const FEW = 100;
  const sum = (numbers) => numbers.reduce((total, more) => total + more, 0);

  // Every place by its number, with its start, the place before it, and the results of each archive.
  const places = [];
  for (const [number, start] of starts.entries()) {
    for (const [step, state, first, replies, second = first.map(() => 0)] of start.places) {
      const results = names.length ? [first, second] : [first];
      const games = results.map(sum);
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

  // Whole percentages that add up, equal ones for equal numbers; undefined where there are none, and of few games.
  const percentages = (numbers) => {
    const total = sum(numbers);
    const shares = numbers.map((number) => Math.floor((100 * number) / total));
    let left = 100 - sum(shares);
    const remainder = (number) => (100 * number) % total;
    for (const number of [...new Set(numbers)].sort((a, b) => remainder(b) - remainder(a))) {
      const alike = numbers.filter((one) => one === number).length;
      if (!remainder(number) || alike > left) continue;
      for (const [at, one] of numbers.entries()) shares[at] += one === number;
      left -= alike;
    }
    return total >= FEW && !left ? shares.map((share) => `${share}%`) : undefined;
  };

  const told = ({ start }, results) => {
    const shares = percentages(results) ?? results;
    const parts = starts[start].results.map((name, at) => `${name} ${shares[at]}`).filter((_, at) => results[at]);
    return parts.join(", ") || "no game";
  };

  // What a place has of each archive, with its name if there are two.
  const each = (place, make) =>
    place.results.map((results, at) => {
      const name = names.length ? [element("span", { class: "archive" }, names[at])] : [];
      return element("div", {}, ...name, ...make(results, at));
    });

  // A bar of the results; the words beside it say the same.
  const bar = ({ start }, results) => {
    const { winners } = starts[start];
    const space = "http://www.w3.org/2000/svg";
    const drawn = document.createElementNS(space, "svg");
    const given = { class: "bar", viewBox: "0 0 100 1", preserveAspectRatio: "none", "aria-hidden": "true" };
    for (const [key, value] of Object.entries(given)) drawn.setAttribute(key, value);
    let from = 0;
    for (const [at, number] of results.entries()) {
      const part = document.createElementNS(space, "rect");
      const width = (100 * number) / Math.max(1, sum(results));
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

  const part = (games, share, total) =>
    share ? `${whole.format(games)} (${share})` : `${whole.format(games)} of ${whole.format(total)}`;

  const row = (place, shares) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, link(place, place.step)),
      element("td", { class: "number" }, ...each(place, (_, at) => [part(place.games[at], shares[at], here.games[at])])),
      element("td", {}, ...each(place, (results) => [bar(place, results), told(place, results)])),
    );

  const picture = () => {
    const start = starts[here.start];
    draw(start.views[views[here.start]][here.number - start.first]);
    for (const box of all(".switch input")) box.parentElement.hidden = !one(`svg.scene .${box.id}`);
  };

  const show = (place) => {
    here = place;
    picture();
    const games = counted(sum(place.games));
    caption.textContent = `${place.step ? `After ${place.step}` : "The start"}: ${games}. ${place.state}`;
    line.replaceChildren(...path(place).map((step) => element("li", {}, link(step, step.step || "The start"))));
    const said = place.results.map((results, at) => `${counted(place.games[at])}: ${told(place, results)}`);
    one(".here").replaceChildren(...each(place, (_, at) => [`${said[at]}.`]));
    const replies = place.replies.map((number) => places[number]);
    const rest = place.games.map((games, at) => games - sum(replies.map((reply) => reply.games[at])));
    const shares = rest.map((left, at) => percentages([...replies.map((reply) => reply.games[at]), left]) ?? []);
    table.replaceChildren(...replies.map((reply, at) => row(reply, shares.map((each) => each[at]))));
    one(".next table").hidden = !replies.length;
    const more = replies.length ? "" : ` ${hint}`;
    const others = each(place, (_, at) => [part(rest[at], shares[at].at(-1), place.games[at])]);
    one(".rest").replaceChildren(...(sum(rest) ? ["Rarer or no further moves:", ...others, more] : []));
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
