import { BareServer } from './harness/bare-comparison.ts';
import { CaptureRuns, figuresOf, outcome, type Run } from './harness/capture-runs.ts';
import { count, perSecond } from './harness/figures.ts';
import { loadTemplate } from './harness/load-template.ts';
import type { Context, Measurement, Row } from './harness/measurement.ts';
import { readMetrics } from './harness/metrics.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { inPairs, median } from './harness/statistics.ts';
import type { FileWriterOperations } from './programs/file-writer.ts';

const TARGET = { atLeast: 0.5 };
const BYTES_PER_MB = 1e6;

/**
 * Captures of large bodies, compared with writing the same bytes to a file on the
 * same disk, with an fsync for each batch of the server's size (see
 * `programs/file-writer.ts`). The server also receives the bodies over HTTP and
 * indexes those up to 1 MiB; the file's writer does neither. But the writer writes
 * every byte, where the server compresses these JSON bodies.
 */
export const bodies: Measurement = {
  name: 'bodies',
  async run(context) {
    const rows: Row[] = [];
    for (const { label, bytes, connections } of context.sizes.bodies.kinds) {
      context.log(label);
      rows.push(await ofBytes(context, label, bytes, connections));
    }
    return rows;
  },
};

async function ofBytes(
  { sizes, load, datasets, profileDir }: Context,
  label: string,
  bodyBytes: number,
  connections: number,
): Promise<Row> {
  const { pairs, seconds } = sizes.bodies;
  await using bare = new BareServer();
  await using writer = new Program<FileWriterOperations>('file-writer');
  using filled = await datasets.make({ events: 0 });
  await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });
  const target = { load, server, filled, connections, bodyBytes };
  const captures = await CaptureRuns.begin(target);
  const ours: Run[] = [];
  const bares: Run[] = [];
  const batches: number[] = [];

  const captured = async () => {
    const before = await readMetrics(server.url);
    const run = await captures.run(seconds);
    const after = await readMetrics(server.url);
    const commits = after.commits - before.commits;
    batches.push((after.committedEvents - before.committedEvents) / commits);
    ours.push(run);
    return run.perSecond;
  };
  const written = async () => {
    bares.push(await bare.run(target, seconds));
    const bodiesPerFsync = Math.max(1, Math.round(batches.at(-1) as number));
    server.pause();
    const request = { dir: filled.dataDir, bodyBytes, bodiesPerFsync, seconds };
    const result = await writer.ask('write', request);
    server.resume();
    return result.bodies / result.seconds;
  };

  const { a, b, ratio } = await inPairs(pairs, captured, written);
  const stored = await captures.check();
  const figures = figuresOf(ours);
  const { cpuUs } = figures;
  const bareCpuUs = figuresOf(bares).cpuUs;
  const barePerSecond = median(bares.map((run) => run.perSecond));
  const batch = median(batches);
  const { bytes } = loadTemplate(bodyBytes);
  const mbPerSecond = (a.median * bytes) / BYTES_PER_MB;
  return {
    label: `captures of ${label} at ${connections} connections`,
    result: { kind: 'ratio', ...ratio },
    target: TARGET,
    ours: `${perSecond(a.median)}, ${count(mbPerSecond)} MB/s`,
    against: `${perSecond(b.median)} written to a file, an fsync each ${Math.round(batch)}`,
    cpu: { unit: 'capture', oursUs: cpuUs, againstUs: bareCpuUs },
    notes: `bare node:http reads ${perSecond(barePerSecond)}; ${outcome(stored, figures)}`,
    figures: {
      capturesPerSecond: a.median,
      writtenPerSecond: b.median,
      barePerSecond,
      bodiesPerFsync: batch,
      bytes,
      mbPerSecond,
      bareCpuUs,
      ...figures,
      ...stored,
    },
  };
}
