import { createEndpoint, until } from './harness/api.ts';
import { CaptureRuns, figuresOf, outcome, type Run } from './harness/capture-runs.ts';
import { count, ms, perSecond } from './harness/figures.ts';
import type { Context, Measurement, Row } from './harness/measurement.ts';
import { answeredRate, rateShortfall } from './harness/paced-rate.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { inPairs } from './harness/statistics.ts';
import type { PacedResult, PacedSenderOperations } from './programs/paced-sender.ts';
import type { StreamReadersOperations } from './programs/stream-readers.ts';

const ALL = { atLeast: 1 };
const CAPTURE_TARGET = { atLeast: 0.8 };
/** Time for the last events to reach every reader. */
const ARRIVE_DEADLINE_MS = 15_000;

/**
 * Many readers of an endpoint's live stream, with a steady rate of events. First
 * nothing else happens, and each reader must get each event. Then captures to
 * another endpoint run as fast as they can, with and without the readers: the
 * difference is the cost of the streams.
 */
export const live: Measurement = {
  name: 'live',
  async run(context) {
    const { datasets, profileDir, sizes } = context;
    using filled = await datasets.make({ events: 0 });
    await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });
    await using sender = new Program<PacedSenderOperations>('paced-sender');
    await using readers = new Program<StreamReadersOperations>('stream-readers');
    const { seconds, perSecond: rate } = sizes.live;

    const url = `${server.url}/in/${filled.publicToken}`;
    const path = `/api/endpoints/${filled.endpointId}/stream`;
    const stream = { origin: server.url, token: filled.token, path, readers: sizes.live.readers };
    const pace = async (): Promise<PacedResult> => {
      const result = await sender.ask('send', { url, perSecond: rate, seconds });
      answeredRate(result);
      return result;
    };
    /** What the readers received while `work` sent events. */
    const followed = async <T>(work: () => Promise<T>) => {
      await readers.ask('open', stream);
      const result = await work();
      const due = rate * seconds * stream.readers;
      const { events, dropped } = await until(
        'events are missing at the readers of the live stream',
        () => readers.ask('counts'),
        (seen) => seen.dropped > 0 || sum(seen.events) >= due,
        ARRIVE_DEADLINE_MS,
      );
      await readers.ask('close');
      return { result, share: sum(events) / due, arrived: sum(events), dropped };
    };

    const other = await createEndpoint({ url: server.url, ...filled });
    const target = { server, filled: { ...filled, ...other } };
    return [
      deliveredRow(await followed(pace), stream.readers, rate),
      await besideRow(context, target, pace, followed),
    ];
  },
};

interface Followed {
  share: number;
  arrived: number;
  dropped: number;
}

function deliveredRow(
  { result, share, arrived, dropped }: Followed & { result: PacedResult },
  readers: number,
  rate: number,
): Row {
  const answered = answeredRate(result);
  return {
    label: `events that reach ${readers} readers at ${perSecond(rate)}`,
    result: { kind: 'ratio', median: share, min: share, max: share },
    target: ALL,
    ours: `${count(arrived)} received, ${dropped} readers dropped`,
    against: `${count(result.sent * readers)} due`,
    notes: `captured at ${perSecond(answered)}`,
    shortfall: rateShortfall(answered, rate),
    figures: { arrived, due: result.sent * readers, dropped },
  };
}

async function besideRow(
  { load, sizes }: Context,
  {
    server,
    filled,
  }: { server: HookrelayServer; filled: Parameters<typeof CaptureRuns.begin>[0]['filled'] },
  pace: () => Promise<PacedResult>,
  followed: <T>(work: () => Promise<T>) => Promise<Followed & { result: T }>,
): Promise<Row> {
  const { connections, seconds, pairs, readers, perSecond: rate } = sizes.live;
  const captures = await CaptureRuns.begin({ load, server, filled, connections });
  const beside: Run[] = [];
  const alone: Run[] = [];
  let dropped = 0;
  let least = 1;
  const both = async () => (await Promise.all([captures.run(seconds), pace()]))[0];
  const { a, b, ratio } = await inPairs(
    pairs,
    async () => {
      const seen = await followed(both);
      dropped += seen.dropped;
      least = Math.min(least, seen.share);
      beside.push(seen.result);
      return seen.result.perSecond + rate;
    },
    async () => {
      const run = await both();
      alone.push(run);
      return run.perSecond + rate;
    },
  );
  const stored = await captures.check();
  const figures = figuresOf(beside);
  return {
    label: `captures at full speed beside ${readers} readers of ${perSecond(rate)}`,
    result: { kind: 'ratio', ...ratio },
    target: CAPTURE_TARGET,
    ours: perSecond(a.median),
    against: `${perSecond(b.median)} without readers`,
    shortfall: dropped > 0 ? 'readers were dropped' : undefined,
    cpu: { unit: 'capture', oursUs: figures.cpuUs, againstUs: figuresOf(alone).cpuUs },
    notes:
      `${dropped} readers dropped, ${(least * 100).toFixed(1)} % of the events received at least; ` +
      `p99 ${ms(figures.p99Ms)}; ${outcome(stored, figures)}`,
    figures: { besidePerSecond: a.median, alonePerSecond: b.median, dropped, least, ...figures },
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
