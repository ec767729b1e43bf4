(() => {
  const one = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];

  const { nodes, views, step, before } = JSON.parse(one("#data").textContent);
  const draw = boardOf(nodes, one("svg.board"));
  const caption = one("figcaption");
  const slider = one("input[type=range]");
  const list = one(".list");
  const now = all("svg.chart .now, svg.values .now");
  const last = Number(slider.max);

  // In a frame of a notebook the page has no address of its own.
  const framed = location.protocol === "about:";

  let view = Object.keys(views)[0];
  let ply = last;

  // A step of a variation has a number above the last ply of the game; `before` has the step that each one follows.
  const follows = (number) => (number !== last && before[number + 1] === number ? number + 1 : number);
  const number = (at) => (at > last ? number(before[at]) + 1 : at);
  const end = (at) => (at > last && follows(at) !== at ? end(follows(at)) : Math.max(at, last));

  const show = (wanted) => {
    ply = Math.min(Math.max(wanted, 0), before.length - 1);
    draw(views[view][ply]);
    for (const article of all("article")) {
      article.hidden = Number(article.dataset.ply) !== ply;
      if (!article.hidden) caption.textContent = article.dataset.caption;
    }
    for (const link of all("a.ply")) {
      if (Number(link.dataset.ply) === ply) {
        link.setAttribute("aria-current", "step");
        list.scrollTop = link.offsetTop - list.clientHeight / 2;
      } else {
        link.removeAttribute("aria-current");
      }
    }
    const place = Math.min(number(ply), last);
    slider.value = place;
    slider.setAttribute("aria-valuetext", ply > last ? one("figcaption").textContent : `${ply} of ${last}`);
    for (const line of now) line.setAttribute("transform", `translate(${(place - last) * step})`);
    for (const button of all("[data-to]")) {
      const idle = ply === (["first", "back"].includes(button.dataset.to) ? 0 : end(ply));
      button.setAttribute("aria-disabled", idle);
    }
  };

  const go = (wanted) => {
    show(wanted);
    if (!framed) history.replaceState(null, "", `#ply-${ply}`);
  };

  const to = { first: () => 0, back: () => Math.max(before[ply], 0), next: () => follows(ply), last: () => end(ply) };
  // Up and down go among the steps that follow the same one: the move of the game, and its variations.
  const beside = (by) => {
    const steps = [...before.keys()].filter((step) => step && before[step] === before[ply]);
    return steps[steps.indexOf(ply) + by];
  };
  const sideways = { ArrowUp: () => beside(-1), ArrowDown: () => beside(1) };
  const keys = { Home: to.first, ArrowLeft: to.back, ArrowRight: to.next, End: to.last, ...sideways };

  const follow = () => {
    const [, wanted] = location.hash.match(/^#ply-(\d+)$/) ?? [];
    show(wanted === undefined ? ply : Number(wanted));
  };

  const copy = async () => {
    const text = one("textarea");
    try {
      await navigator.clipboard.writeText(text.value);
      one(".file [role=status]").textContent = "Copied.";
    } catch {
      text.closest("details").open = true;
      text.select();
      one(".file [role=status]").textContent = "Selected: copy it with the keys of your system.";
    }
  };

  for (const button of all("[data-to]")) {
    button.addEventListener("click", () => go(to[button.dataset.to]()));
  }
  for (const choice of all("input[name=view]")) {
    choice.addEventListener("change", () => {
      view = choice.value;
      show(ply);
    });
  }
  for (const link of all("a.ply")) {
    link.href = `#ply-${link.dataset.ply}`;
    link.addEventListener("click", (event) => {
      if (!framed) return;
      event.preventDefault();
      go(Number(link.dataset.ply));
    });
  }
  for (const part of all(".live")) part.hidden = false;
  slider.addEventListener("input", () => go(Number(slider.value)));
  one("[data-copy]").addEventListener("click", copy);
  addEventListener("hashchange", follow);
  addEventListener("keydown", (event) => {
    const held = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (held || !(event.key in keys) || event.target.closest?.("input:not([type=checkbox]), textarea")) return;
    const wanted = keys[event.key]();
    if (wanted === undefined) return;
    event.preventDefault();
    go(wanted);
  });

  view = one("input[name=view]:checked")?.value ?? view;
  follow();
})();
