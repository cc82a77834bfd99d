import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import '../../../bin/build-page.mjs';
import { killAll } from '../../bench/harness/children.ts';
import { environmentText, readEnvironment } from '../../bench/harness/environment.ts';
import { arriving } from './arriving.ts';
import { type Figures, Recorded, renderFigures } from './figures.ts';
import { loading, overview } from './loading.ts';
import { bodies, opening } from './opening.ts';
import { type PageBenchOptions, readOptions } from './options.ts';
import { scrolling } from './scrolling.ts';
import { openSide, type Side } from './side.ts';

/*
 * Measures the page in Chromium against a real server, beside the page of another checkout
 * if one is given: the two take turns, round after round, so that other work on the machine
 * disturbs both. Exits 1 when a measurement fails, 2 on wrong usage.
 */
const MEASUREMENTS: Record<string, (side: Side, options: PageBenchOptions) => Promise<Figures>> = {
  loading,
  overview,
  opening,
  scrolling: (side, { blank }) => scrolling(side, blank),
  arriving: (side, { captures }) => arriving(side, captures),
  bodies,
};

const options = readOptions(Object.keys(MEASUREMENTS));
process.on('exit', killAll);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const checkouts = [
  ...(options.against === null ? [] : [{ name: 'before', checkout: options.against }]),
  { name: 'now', checkout: fileURLToPath(new URL('../../..', import.meta.url)) },
];
const environment = readEnvironment(tmpdir(), 'Chromium');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  // Containers run as root, where the browser's own sandbox doesn't work.
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const sides: { side: Side; name: string; recorded: Recorded }[] = [];
for (const { name, checkout } of checkouts) {
  log(`${name}: filling ${options.events} events`);
  const side = await openSide(browser, { name, checkout, events: options.events });
  sides.push({ side, name, recorded: new Recorded() });
}
const wanted = Object.entries(MEASUREMENTS).filter(
  ([name]) => options.only.length === 0 || options.only.includes(name),
);
for (let round = 1; round <= options.rounds; round++) {
  for (const [name, measure] of wanted) {
    for (const { side, recorded } of sides) {
      log(`round ${round} of ${options.rounds}: ${name}, ${side.name}`);
      recorded.add(await measure(side, options));
    }
  }
  // A run on a busy machine may be ended early.
  log(`\n${renderFigures(sides)}\n`);
}
process.stdout.write(
  `${environmentText(environment)}; Chromium ${browser.version()}\n\n${renderFigures(sides)}\n\n` +
    `Medians of ${options.rounds} rounds in turn, least and most beside them; ` +
    `${options.events} events.\n`,
);
if (options.json !== null) {
  const values = Object.fromEntries(
    sides.map(({ name, recorded }) => [name, Object.fromEntries(recorded.byLabel)]),
  );
  writeFileSync(options.json, `${JSON.stringify({ environment, values }, null, 2)}\n`);
}
await browser.close();
for (const { side } of sides) {
  await side.pool.close();
  await side.server[Symbol.asyncDispose]();
}
process.exit(0);

function log(text: string): void {
  process.stderr.write(`${text}\n`);
}
