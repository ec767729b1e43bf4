// The boards of the first page, kept up to date while somebody watches.

const EVERY = 20_000;

setInterval(async () => {
  if (document.hidden) return;
  const answer = await fetch(location.pathname).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = page.querySelector(`[data-live="${part.dataset.live}"]`);
    if (next && next.innerHTML !== part.innerHTML && !part.contains(document.activeElement)) part.replaceWith(next);
  }
}, EVERY);
