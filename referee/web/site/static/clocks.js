// Clocks that go on while the page is open.

const SOON = 12 * 60;
const EVERY = 20_000;

const leftOf = (minutes) => {
  const parts = [[Math.floor(minutes / 1440), "d"], [Math.floor(minutes / 60) % 24, "h"], [minutes % 60, "min"]];
  return parts.filter(([number]) => number).slice(0, 2).map((one) => one.join(" ")).join(" ") || "0 min";
};

setInterval(() => {
  for (const clock of document.querySelectorAll("time.clock")) {
    const minutes = Math.floor((new Date(clock.dateTime) - Date.now()) / 60_000);
    clock.firstChild.data = minutes < 0 ? "time is over" : leftOf(minutes);
    clock.parentElement.classList.toggle("soon", minutes < SOON);
  }
}, EVERY);
