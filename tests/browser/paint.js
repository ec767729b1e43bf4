// Measures the first paint of pages: node paint.js TIMES ADDRESS…
// Prints JSON: for each address the milliseconds from its request until something is to be seen, each in a new browser.

import { DESK, launch } from "./pages.js";

const [times, ...addresses] = process.argv.slice(2);
const found = addresses.map(() => []);
for (let time = 0; time < Number(times); time += 1) {
  for (const [number, address] of addresses.entries()) {
    const browser = await launch();
    try {
      const page = await browser.newPage({ viewport: DESK });
      await page.goto(address);
      found[number].push(
        await page.evaluate(
          () =>
            new Promise((done) => {
              const watch = new PerformanceObserver((list) => {
                const first = list.getEntriesByName("first-contentful-paint")[0];
                if (first) done(first.startTime);
              });
              watch.observe({ type: "paint", buffered: true });
            }),
        ),
      );
    } finally {
      await browser.close();
    }
  }
}
console.log(JSON.stringify(found));
