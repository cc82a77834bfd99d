import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { captures } from './captures.ts';
import { delivering } from './delivering.ts';
import { draining } from './draining.ts';
import { buildIfStale } from './harness/build.ts';
import { killAll } from './harness/children.ts';
import { Datasets } from './harness/datasets.ts';
import { environmentText, readEnvironment } from './harness/environment.ts';
import { findLoadGenerator } from './harness/load.ts';
import { type Measurement, reaches } from './harness/measurement.ts';
import { FULL, QUICK } from './harness/sizes.ts';
import { renderTable, type Section } from './harness/table.ts';
import { latency } from './latency.ts';
import { list } from './list.ts';
import { memory } from './memory.ts';
import { nodes } from './nodes.ts';
import { search } from './search.ts';

/** In this order: `memory` adds events to those that `list` and `search` read. */
const MEASUREMENTS: Measurement[] = [captures, delivering, draining, latency, list, search, memory];
/** Only where they are asked for: these need a PostgreSQL on the machine. */
const ON_DEMAND: Measurement[] = [nodes];
const ALL = [...MEASUREMENTS, ...ON_DEMAND];

const USAGE = `npm run bench -- [options]

  --quick        small sizes, less than a minute; targets are not judged
  --only NAME    one of ${ALL.map(({ name }) => name).join(', ')} (may be repeated;
                 nodes runs only so, and needs PostgreSQL)
  --json FILE    also write the result as JSON
  --dir DIR      where data directories go (the system's temporary directory)
  --load NAME    wrk or undici (wrk where it is installed)
  --profile DIR  the servers write CPU profiles there (time for which one is stopped,
                 while something else is measured, counts to what it was doing)
`;

/*
 * Measures the built server against plain Node on the same machine, in the same
 * minutes. What is judged are ratios: the absolute figures are the machine's.
 *
 * Exits 0 also when targets are missed, 1 when a measurement fails (it found
 * events missing, say), 2 on wrong usage.
 */
const options = readOptions();
const dir = mkdtempSync(join(options.dir, 'hookrelay-bench-'));
process.on('exit', () => {
  killAll();
  // What was killed may still be at its last write.
  rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => process.exit(1));
}

buildIfStale(log);
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
for (const measurement of options.measurements) {
  log(`${measurement.name} …`);
  try {
    sections.push({ measurement: measurement.name, rows: await measurement.run(context) });
  } catch (error) {
    process.exitCode = 1;
    log(`${measurement.name} FAILED: ${error instanceof Error ? error.stack : String(error)}`);
  }
}

const minutes = (Date.now() - startedAt.getTime()) / 60_000;
process.stdout.write(
  `${environmentText(environment)}\n${options.quick ? 'quick: small sizes, targets not judged\n' : ''}\n` +
    `${renderTable(sections, !options.quick)}\n\n` +
    `Medians of pairs run in turn, least and most beside them; ${minutes.toFixed(1)} minutes.\n`,
);
if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(report(), null, 2)}\n`);
process.exit();

function report() {
  return {
    startedAt: startedAt.toISOString(),
    minutes,
    quick: options.quick,
    environment,
    rows: sections.flatMap(({ measurement, rows }) =>
      rows.map((row) => ({
        measurement,
        ...row,
        reached: row.target && !options.quick ? reaches(row.result, row.target) : null,
      })),
    ),
  };
}

function log(text: string): void {
  process.stderr.write(`${text}\n`);
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
        json: { type: 'string' },
        dir: { type: 'string', default: tmpdir() },
        load: { type: 'string' },
        profile: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      process.stdout.write(USAGE);
      process.exit(0);
    }
    const unknown = values.only.filter((only) => !ALL.some(({ name }) => name === only));
    if (unknown.length > 0) throw new Error(`there is no measurement ${unknown.join(', ')}`);
    const wanted = values.load ?? null;
    if (wanted !== null && wanted !== 'wrk' && wanted !== 'undici') {
      throw new Error('--load takes wrk or undici');
    }
    return {
      quick: values.quick,
      measurements:
        values.only.length === 0
          ? MEASUREMENTS
          : ALL.filter(({ name }) => values.only.includes(name)),
      json: values.json ?? null,
      dir: values.dir,
      load: wanted as 'wrk' | 'undici' | null,
      profileDir: values.profile ?? null,
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(2);
  }
}
