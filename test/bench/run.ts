import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binary } from './binary.ts';
import { bodies } from './bodies.ts';
import { captures } from './captures.ts';
import { closedLoop } from './closed-loop.ts';
import { concurrency } from './concurrency.ts';
import { cores } from './cores.ts';
import { delivering } from './delivering.ts';
import { disk } from './disk.ts';
import { draining } from './draining.ts';
import { filters } from './filters.ts';
import { installPackage } from './harness/build.ts';
import { killAll } from './harness/children.ts';
import { Datasets } from './harness/datasets.ts';
import { environmentText, readEnvironment } from './harness/environment.ts';
import { growthLines } from './harness/growth.ts';
import { findLoadGenerator } from './harness/load.ts';
import { type Measurement, reaches } from './harness/measurement.ts';
import { readOptions } from './harness/options.ts';
import { FULL, QUICK } from './harness/sizes.ts';
import { renderTable, type Section } from './harness/table.ts';
import { heldSnapshot } from './held-snapshot.ts';
import { idle } from './idle.ts';
import { indexLag } from './index-lag.ts';
import { latency } from './latency.ts';
import { list } from './list.ts';
import { live } from './live.ts';
import { memory } from './memory.ts';
import { nodes } from './nodes.ts';
import { replaying } from './replaying.ts';
import { retaining } from './retaining.ts';
import { search } from './search.ts';
import { searching } from './searching.ts';
import { start } from './start.ts';
import { steady } from './steady.ts';
import { verifying } from './verifying.ts';
import { waiting } from './waiting.ts';

/**
 * The order matters: the measurements from `list` to `start` share one data set.
 * The first three only read it, and the others add to it.
 */
const MEASUREMENTS: Measurement[] = [
  captures,
  cores,
  delivering,
  closedLoop,
  filters,
  verifying,
  bodies,
  draining,
  replaying,
  concurrency,
  steady,
  latency,
  live,
  idle,
  waiting,
  retaining,
  list,
  disk,
  search,
  memory,
  indexLag,
  searching,
  start,
  binary,
];
/** Only on request: these need a PostgreSQL on the machine. */
const ON_DEMAND: Measurement[] = [nodes, heldSnapshot];

/*
 * Measures the built server against plain Node on the same machine in the same
 * minutes. Only ratios are judged: absolute figures depend on the machine. Exits 0
 * even when targets are missed, 1 when a measurement fails (events are missing, for
 * example), 2 on wrong usage.
 */
const options = readOptions([...MEASUREMENTS, ...ON_DEMAND].map(({ name }) => name));
const dir = mkdtempSync(join(options.dir, 'hookrelay-bench-'));
process.on('exit', () => {
  killAll();
  // A killed process may still be at its last write.
  rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => process.exit(1));
}

installPackage(log);
const load = findLoadGenerator(dir, options.load);
const environment = readEnvironment(dir, load.name);
const context = {
  sizes: options.quick ? QUICK : FULL,
  load,
  datasets: new Datasets(dir, log),
  profileDir: options.profileDir,
  log,
};

const startedAt = new Date();
const sections: Section[] = [];
const failed: string[] = [];
const wanted = [...MEASUREMENTS, ...ON_DEMAND].filter(({ name }) => options.only.includes(name));
for (const measurement of wanted.length > 0 ? wanted : MEASUREMENTS) {
  const { name } = measurement;
  log(`${name} … (${minutesSinceStart().toFixed(1)} minutes)`);
  try {
    sections.push({ measurement: name, rows: await measurement.run(context) });
  } catch (error) {
    failed.push(name);
    log(`${name} FAILED: ${error instanceof Error ? error.stack : String(error)}`);
  }
}

const minutes = minutesSinceStart();
// Small sizes have nothing to report.
const growth = options.quick ? [] : growthLines(sections);
process.stdout.write(
  `${environmentText(environment)}\n${options.quick ? 'quick: small sizes, targets not judged\n' : ''}\n` +
    `${renderTable(sections, !options.quick)}\n\n` +
    `${growth.map((line) => `- ${line}\n`).join('')}\n` +
    `Medians of pairs run in turn, least and most beside them; ${minutes.toFixed(1)} minutes.\n` +
    `${failed.length > 0 ? `FAILED, see above: ${failed.join(', ')}\n` : ''}`,
);
if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(report(), null, 2)}\n`);
process.exit(failed.length > 0 ? 1 : 0);

function report() {
  return {
    startedAt: startedAt.toISOString(),
    minutes,
    quick: options.quick,
    environment,
    failed,
    growth,
    rows: sections.flatMap(({ measurement, rows }) =>
      rows.map((row) => ({
        measurement,
        ...row,
        reached: options.quick ? null : reaches(row),
      })),
    ),
  };
}

function minutesSinceStart(): number {
  return (Date.now() - startedAt.getTime()) / 60_000;
}

function log(text: string): void {
  process.stderr.write(`${text}\n`);
}
