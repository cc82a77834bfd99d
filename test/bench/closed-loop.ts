import { ms, perSecond } from './harness/figures.ts';
import type { Context, Measurement, Row } from './harness/measurement.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import type { Loop } from './harness/sizes.ts';
import { inPairs, median } from './harness/statistics.ts';
import type { BareForwarderOperations } from './programs/bare-forwarder.ts';
import type { RoundTripOperations, RoundTripResult } from './programs/round-trips.ts';

/** For one destination. */
const TARGET = { atLeast: 0.5 };
/** The attempts that hookrelay makes at once to one destination, at most. */
const CONCURRENCY = 128;

/**
 * A sender that waits for its deliveries: the next event is sent when the destinations have an
 * earlier one. Compared with a forwarder that stores nothing.
 */
export const closedLoop: Measurement = {
  name: 'closed-loop',
  async run(context) {
    const rows: Row[] = [];
    for (const loop of context.sizes.closedLoop.loops) rows.push(await runLoop(context, loop));
    return rows;
  },
};

async function runLoop(
  { sizes, datasets, profileDir }: Context,
  { underWay, destinations }: Loop,
): Promise<Row> {
  const { pairs, seconds, warmUpSeconds } = sizes.closedLoop;
  await using sender = new Program<RoundTripOperations>('round-trips');
  await using bare = new Program<BareForwarderOperations>('bare-forwarder');
  const destinationUrls = await sender.ask('listen', { urls: destinations });
  const bareUrl = await bare.ask('listen', { to: destinationUrls, concurrency: CONCURRENCY });
  using filled = await datasets.make({ events: 0, destinationUrls });
  await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });
  const url = `${server.url}/in/${filled.publicToken}`;

  const measured = async (
    to: string,
    process: { cpuSeconds(): number },
    results: (RoundTripResult & { cpuUs: number })[],
  ) => {
    const before = process.cpuSeconds();
    const result = await sender.ask('run', { url: to, underWay, seconds });
    if (result.failed > 0) throw new Error(`${result.failed} requests weren't answered by a 2xx`);
    const cpuUs = ((process.cpuSeconds() - before) / result.arrived) * 1e6;
    results.push({ ...result, cpuUs });
    return result.arrived / result.seconds;
  };
  const ours: (RoundTripResult & { cpuUs: number })[] = [];
  const bares: (RoundTripResult & { cpuUs: number })[] = [];
  if (warmUpSeconds > 0) {
    await sender.ask('run', { url: bareUrl, underWay, seconds: warmUpSeconds });
    await sender.ask('run', { url, underWay, seconds: warmUpSeconds });
  }
  const { a, b, ratio } = await inPairs(
    pairs,
    () => measured(url, server, ours),
    async () => {
      server.pause();
      try {
        return await measured(bareUrl, bare, bares);
      } finally {
        server.resume();
      }
    },
  );
  const of = (results: typeof ours, key: 'p50Ms' | 'p99Ms' | 'cpuUs') =>
    median(results.map((result) => result[key]));
  return {
    label: `captured and delivered, ${underWay} under way, ${destinations} destination${destinations === 1 ? '' : 's'}`,
    result: { kind: 'ratio', ...ratio },
    target: destinations === 1 ? TARGET : undefined,
    ours: perSecond(a.median),
    against: `${perSecond(b.median)} bare forwarder`,
    cpu: { unit: 'event', oursUs: of(ours, 'cpuUs'), againstUs: of(bares, 'cpuUs') },
    notes: `p50 ${ms(of(ours, 'p50Ms'))}, p99 ${ms(of(ours, 'p99Ms'))}; bare p50 ${ms(of(bares, 'p50Ms'))}`,
    figures: {
      eventsPerSecond: a.median,
      barePerSecond: b.median,
      p50Ms: of(ours, 'p50Ms'),
      p99Ms: of(ours, 'p99Ms'),
    },
  };
}
