import { countEvents, createEndpoint } from './harness/api.ts';
import { CaptureRuns, figuresOf, type Run } from './harness/capture-runs.ts';
import { ms, perSecond } from './harness/figures.ts';
import type { Context, Measurement, Row } from './harness/measurement.ts';
import { answeredRate, rateShortfall } from './harness/paced-rate.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { inPairs, median, type Pairs, spread } from './harness/statistics.ts';
import type { Filled } from './programs/fill.ts';
import type { PacedSenderOperations } from './programs/paced-sender.ts';

const CAPTURES_TARGET = { atLeast: 0.9 };
const P99_TARGET = { atMost: 2 };
/** Nearly all stored events are older. What the benchmark captures is younger. */
const RETENTION = '10m';

interface Figures {
  paced: { p99Ms: number; rate: number; deletedPerSecond: number };
  flood: Run & { deletedPerSecond: number };
}

/**
 * Captures to one endpoint while retention deletes the events of another one, with
 * their attempts: at full speed, and the p99 at a steady rate. Compared with the same
 * server without a retention, in turns.
 */
export const retaining: Measurement = {
  name: 'retaining',
  async run(context) {
    const { events, pairs } = context.sizes.retaining;
    using filled = await context.datasets.make({ events, deadLetters: events });
    const beside: Figures[] = [];
    const alone: Figures[] = [];
    const perSecondOf = async (runs: Figures[], env: Record<string, string>) => {
      const figures = await runOnce(context, filled, env);
      runs.push(figures);
      return figures.flood.perSecond;
    };
    const captures = await inPairs(
      pairs,
      () => perSecondOf(beside, { HOOKRELAY_RETENTION: RETENTION }),
      () => perSecondOf(alone, {}),
    );
    return [capturesRow(captures, beside, alone), latencyRow(context, beside, alone)];
  },
};

async function runOnce(
  { sizes, load, profileDir }: Context,
  filled: Filled,
  env: Record<string, string>,
): Promise<Figures> {
  const { connections, perSecond, seconds, warmUpSeconds } = sizes.retaining;
  await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir, env });
  await using sender = new Program<PacedSenderOperations>('paced-sender');
  const old = { url: server.url, ...filled };
  const captured = { ...filled, ...(await createEndpoint(old)) };
  const url = `${server.url}/in/${captured.publicToken}`;
  const send = (duration: number) => sender.ask('send', { url, perSecond, seconds: duration });
  if (warmUpSeconds > 0) await send(warmUpSeconds);
  const before = await countEvents(old);
  const paced = await send(seconds);
  const between = await countEvents(old);
  const runs = await CaptureRuns.begin({ load, server, filled: captured, connections });
  const flood = await runs.run(seconds);
  const after = await countEvents(old);
  await runs.check();
  return {
    paced: {
      p99Ms: paced.p99Ms,
      rate: answeredRate(paced),
      deletedPerSecond: (before - between) / paced.seconds,
    },
    flood: { ...flood, deletedPerSecond: (between - after) / flood.seconds },
  };
}

/** The note if retention had nothing to delete. */
function idleShortfall(deletedPerSecond: number[]): string | undefined {
  return Math.min(...deletedPerSecond) > 0 ? undefined : 'a run had NOTHING TO DELETE';
}

function capturesRow({ a, b, ratio }: Pairs, beside: Figures[], alone: Figures[]): Row {
  const ours = figuresOf(beside.map(({ flood }) => flood));
  const without = figuresOf(alone.map(({ flood }) => flood));
  const deleted = beside.map(({ flood }) => flood.deletedPerSecond);
  const shortfall = idleShortfall(deleted);
  return {
    label: 'captures at full speed beside retention',
    result: { kind: 'ratio', ...ratio },
    target: CAPTURES_TARGET,
    ours: perSecond(a.median),
    against: `${perSecond(b.median)} without retention`,
    cpu: { unit: 'capture', oursUs: ours.cpuUs, againstUs: without.cpuUs },
    shortfall,
    notes: `deleted ${perSecond(median(deleted))}; p99 ${ms(ours.p99Ms)}${shortfall ? `; ${shortfall}` : ''}`,
    figures: {
      ...ours,
      besidePerSecond: a.median,
      alonePerSecond: b.median,
      deletedPerSecond: median(deleted),
    },
  };
}

function latencyRow({ sizes }: Context, beside: Figures[], alone: Figures[]): Row {
  const { perSecond: wanted } = sizes.retaining;
  const p99 = (runs: Figures[]) => runs.map(({ paced }) => paced.p99Ms);
  const ratio = spread(p99(beside).map((value, i) => value / (p99(alone)[i] as number)));
  const deleted = beside.map(({ paced }) => paced.deletedPerSecond);
  const rate = Math.min(...[...beside, ...alone].map(({ paced }) => paced.rate));
  const shortfall = rateShortfall(rate, wanted) ?? idleShortfall(deleted);
  return {
    label: `p99 of ${wanted} captures/s beside retention`,
    result: { kind: 'ratio', ...ratio },
    target: P99_TARGET,
    ours: ms(median(p99(beside))),
    against: `${ms(median(p99(alone)))} without retention`,
    shortfall,
    notes: `deleted ${perSecond(median(deleted))}${shortfall ? `; ${shortfall}` : ''}`,
    figures: {
      p99Ms: median(p99(beside)),
      aloneMs: median(p99(alone)),
      deletedPerSecond: median(deleted),
    },
  };
}
