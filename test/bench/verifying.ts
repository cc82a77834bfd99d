import { MOST_REJECTED_PER_S } from '../../src/core/proof/rejected-limits.ts';
import { type Account, countRejected, createEndpoint, setSource } from './harness/api.ts';
import { CaptureRuns, figuresOf, outcome, type Run } from './harness/capture-runs.ts';
import { count, ms, perSecond } from './harness/figures.ts';
import type { Context, Measurement, Row } from './harness/measurement.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { SIGNING_PROVIDER } from './harness/signed-header.ts';
import { inPairs } from './harness/statistics.ts';
import type { PacedSenderOperations } from './programs/paced-sender.ts';

const CPU_TARGET = { atMost: 1.1 };
const FLOOD_TARGET = { atMost: 2 };
const SECRET = 'the secret of the benchmark';
const FORGED = 'a secret that somebody guessed';

/**
 * Signed captures of 1 KB to an endpoint that verifies them, compared with the same
 * captures to one that doesn't, by CPU time; and verified captures at a steady rate beside
 * a flood of forgeries, compared with the same rate alone.
 */
export const verifying: Measurement = {
  name: 'verifying',
  async run(context: Context): Promise<Row[]> {
    const { datasets, profileDir } = context;
    using filled = await datasets.make({ events: 0 });
    await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });
    const account = { url: server.url, ...filled };
    const verified = { token: filled.token, ...(await createEndpoint(account)) };
    await setSource(
      { url: server.url, ...verified },
      { provider: SIGNING_PROVIDER, secrets: [SECRET], enforce: true },
    );
    return [
      await cost(context, server, verified, filled),
      await flood(context, server, { url: server.url, ...verified }),
    ];
  },
};

type Captured = Omit<Account, 'url'> & { publicToken: string };

async function cost(
  { sizes, load }: Context,
  server: HookrelayServer,
  verified: Captured,
  plain: Captured,
): Promise<Row> {
  const { connections, pairs, seconds, warmUpSeconds } = sizes.verifying;
  const target = { load, server, connections, secret: SECRET };
  const withSource = await CaptureRuns.begin({ ...target, filled: verified });
  const without = await CaptureRuns.begin({ ...target, filled: plain });
  const verifiedRuns: Run[] = [];
  const plainRuns: Run[] = [];
  const cpuOf = async (captures: CaptureRuns, runs: Run[], length: number) => {
    const run = await captures.run(length);
    runs.push(run);
    return run.cpuUs;
  };
  if (warmUpSeconds > 0) {
    await cpuOf(withSource, [], warmUpSeconds);
    await cpuOf(without, [], warmUpSeconds);
  }
  const { a, b, ratio } = await inPairs(
    pairs,
    () => cpuOf(withSource, verifiedRuns, seconds),
    () => cpuOf(without, plainRuns, seconds),
  );
  // Every capture is verified: an enforced source stores nothing else.
  const stored = await withSource.check();
  await without.check();
  const ours = figuresOf(verifiedRuns);
  const rate = (runs: Run[]) => runs.reduce((sum, run) => sum + run.perSecond, 0) / runs.length;
  return {
    label: `verified by HMAC-SHA256, ${connections} connections, CPU`,
    result: { kind: 'ratio', ...ratio },
    target: CPU_TARGET,
    ours: perSecond(rate(verifiedRuns)),
    against: `${perSecond(rate(plainRuns))} without a source`,
    cpu: { unit: 'capture', oursUs: a.median, againstUs: b.median },
    notes: `p50 ${ms(ours.p50Ms)}, p99 ${ms(ours.p99Ms)}; ${outcome(stored, ours)}`,
    figures: { ...ours, ...stored, plainCpuUs: b.median },
  };
}

async function flood(
  { sizes }: Context,
  server: HookrelayServer,
  account: Account & { publicToken: string },
): Promise<Row> {
  const { perSecond: rate, forgedPerSecond, seconds, pairs } = sizes.verifying.flood;
  await using sender = new Program<PacedSenderOperations>('paced-sender');
  await using forger = new Program<PacedSenderOperations>('paced-sender');
  const url = `${server.url}/in/${account.publicToken}`;
  const keptBefore = await countRejected(account);
  let forged = 0;
  const captured = async () => {
    const { sent, ok, p99Ms } = await sender.ask('send', {
      ...{ url, seconds, secret: SECRET },
      perSecond: rate,
    });
    if (ok !== sent) throw new Error(`of ${sent} verified requests, ${ok} were answered by a 2xx`);
    return p99Ms;
  };
  const beside = async () => {
    const forging = forger.ask('send', {
      ...{ url, seconds, secret: FORGED },
      perSecond: forgedPerSecond,
    });
    const p99Ms = await captured();
    const { sent, refused } = await forging;
    if (refused !== sent) throw new Error(`of ${sent} forgeries, ${refused} were refused`);
    forged += sent;
    return p99Ms;
  };
  const { a, b, ratio } = await inPairs(pairs, beside, captured);
  const kept = (await countRejected(account)) - keptBefore;
  // Each flood may begin and end within a second, and go on a little longer than planned.
  const most = pairs * (seconds + 3) * MOST_REJECTED_PER_S;
  if (kept > most) throw new Error(`${kept} forgeries are kept, at most ${most} expected`);
  return {
    label: `p99 of ${rate} verified captures/s beside ${count(forgedPerSecond)} forgeries/s`,
    result: { kind: 'ratio', ...ratio },
    target: FLOOD_TARGET,
    ours: ms(a.median),
    against: `${ms(b.median)} without forgeries`,
    notes: `${count(forged)} forgeries refused, ${count(kept)} kept`,
    figures: { p99Ms: a.median, aloneMs: b.median, forged, kept },
  };
}
