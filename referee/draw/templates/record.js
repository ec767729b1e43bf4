(() => {
  const one = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];

  const { nodes, views, step } = JSON.parse(one("#data").textContent);
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

  const show = (number) => {
    ply = Math.min(Math.max(number, 0), last);
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
    slider.value = ply;
    slider.setAttribute("aria-valuetext", `${ply} of ${last}`);
    for (const line of now) line.setAttribute("transform", `translate(${(ply - last) * step})`);
    for (const button of all("[data-to]")) {
      const idle = ply === (["first", "back"].includes(button.dataset.to) ? 0 : last);
      button.setAttribute("aria-disabled", idle);
    }
  };

  const go = (number) => {
    show(number);
    if (!framed) history.replaceState(null, "", `#ply-${ply}`);
  };

  const to = { first: () => 0, back: () => ply - 1, next: () => ply + 1, last: () => last };
  const keys = { Home: to.first, ArrowLeft: to.back, ArrowRight: to.next, End: to.last };

  const follow = () => {
    const [, number] = location.hash.match(/^#ply-(\d+)$/) ?? [];
    show(number === undefined ? ply : Number(number));
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
    event.preventDefault();
    go(keys[event.key]());
  });

  view = one("input[name=view]:checked")?.value ?? view;
  follow();
})();
