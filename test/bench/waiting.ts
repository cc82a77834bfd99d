import { setTimeout as sleep } from 'node:timers/promises';
import { MOST_COUNTED } from '../../src/core/flow/waiting.ts';
import { BREAKER } from '../fixtures/breaker.ts';
import {
  type Account,
  addDestination,
  countEvents,
  createEndpoint,
  listDestinations,
  until,
} from './harness/api.ts';
import { CaptureRuns, figuresOf, outcome, type Run } from './harness/capture-runs.ts';
import { count, ms, perSecond, short } from './harness/figures.ts';
import { idleCpu, idleRow } from './harness/idle-cpu.ts';
import type { Context, Measurement, Row } from './harness/measurement.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { inPairs } from './harness/statistics.ts';
import type { BacklogOperations } from './programs/backlog.ts';
import type { Filled } from './programs/fill.ts';
import type { ReceiverOperations } from './programs/receiver.ts';

const CAPTURE_TARGET = { atLeast: 0.9 };
const MEMORY_TARGET = { atMost: 1.1 };
const BYTES_PER_MB = 1e6;
/** Nothing listens there, so every probe fails. */
const DEAD = 'http://127.0.0.1:9/';
const PROBE_DEADLINE_MS = 30_000;
const DELIVER_DEADLINE_MS = 60_000;

/** A server, and its endpoint whose destination is down. */
interface Side {
  server: HookrelayServer;
  filled: Filled;
  account: Account;
}

/**
 * A server with deliveries that wait behind an open breaker, beside the same server
 * without them. Both have the endpoint and its destination.
 */
export const waiting: Measurement = {
  name: 'waiting',
  async run(context) {
    const { sizes, datasets, profileDir } = context;
    const { deliveries, settleSeconds, idleSeconds } = sizes.waiting;
    const destinationUrls = [DEAD];
    using held = await datasets.make({ events: deliveries, short: true, destinationUrls });
    using empty = await datasets.make({ events: 0, destinationUrls });
    {
      await using backlog = new Program<BacklogOperations>('backlog');
      await backlog.ask('openBreaker', { dataDir: held.dataDir, deliveries });
    }
    await using beside = await HookrelayServer.start({ dataDir: held.dataDir, profileDir });
    await using without = await HookrelayServer.start({ dataDir: empty.dataDir, profileDir });
    const ours = sideOf(beside, held);
    const against = sideOf(without, empty);
    await until(
      'no probe was made',
      () => probesOf(ours),
      (probes) => probes > 0,
      PROBE_DEADLINE_MS,
    );
    // The other server answers the same request, so that both have the same code loaded.
    await listDestinations(against.account);
    await sleep(settleSeconds * 1000);

    const before = await probesOf(ours);
    const [cpu, otherCpu] = await Promise.all([
      idleCpu(beside, idleSeconds),
      idleCpu(without, idleSeconds),
    ]);
    const memory = memoryRow(ours, against, settleSeconds + idleSeconds, deliveries);
    const probes = (await probesOf(ours)) - before;
    const notes =
      `${count(deliveries)} deliveries wait; probes: ${probes} meanwhile, ${before} before; ` +
      `${short(otherCpu.cpuMs)} ms without them`;
    const figures = { deliveries, probes, withoutCpuMs: otherCpu.cpuMs };
    const idleBeside = idleRow('CPU of one core when idle', cpu, notes, figures);
    const captures = await captureRow(context, ours, against);
    await checkHeld(ours, deliveries);
    return [idleBeside, captures, memory];
  },
};

function sideOf(server: HookrelayServer, filled: Filled): Side {
  return { server, filled, account: { url: server.url, ...filled } };
}

/** Probes since the breaker opened. Throws when it is no longer open. */
async function probesOf({ account }: Side): Promise<number> {
  const [destination] = await listDestinations(account);
  if (destination?.health.state !== 'open') {
    throw new Error(`the breaker is not open: ${JSON.stringify(destination)}`);
  }
  return destination.health.consecutive_failures - BREAKER.failures;
}

async function checkHeld(side: Side, deliveries: number): Promise<void> {
  await probesOf(side);
  const [destination] = await listDestinations(side.account);
  if (destination?.waiting.count !== Math.min(deliveries, MOST_COUNTED)) {
    throw new Error(`not all deliveries wait still: ${JSON.stringify(destination)}`);
  }
}

function memoryRow(ours: Side, against: Side, seconds: number, deliveries: number): Row {
  const held = ours.server.memory().residentBytes / BYTES_PER_MB;
  const empty = against.server.memory().residentBytes / BYTES_PER_MB;
  const ratio = held / empty;
  return {
    label: `resident memory, ${count(deliveries)} deliveries waiting`,
    result: { kind: 'ratio', median: ratio, min: ratio, max: ratio },
    target: MEMORY_TARGET,
    ours: `${short(held)} MB`,
    against: `${short(empty)} MB without them`,
    notes: `idle, ${seconds} s after the first probe`,
    figures: { heldMb: held, emptyMb: empty, seconds },
  };
}

/** Captures to another endpoint, whose destination takes everything. */
async function captureRow(
  { sizes, load }: Pick<Context, 'sizes' | 'load'>,
  ours: Side,
  against: Side,
): Promise<Row> {
  const { deliveries, connections, pairs, seconds, warmUpSeconds } = sizes.waiting;
  await using receiver = new Program<ReceiverOperations>('receiver');
  const urls = await receiver.ask('listen', { urls: 2 });
  const heldRuns: Run[] = [];
  const emptyRuns: Run[] = [];
  const begin = async (
    { server, filled, account }: Side,
    other: Side,
    url: string,
    runs: Run[],
  ) => {
    const created = { ...account, ...(await createEndpoint(account)) };
    await addDestination(created, { url });
    const captures = await CaptureRuns.begin({
      load,
      server,
      connections,
      filled: { ...filled, ...created },
    });
    const run = async (length: number): Promise<Run> => {
      other.server.pause();
      try {
        const before = server.cpuSeconds();
        const run = await captures.run(length);
        // The run's CPU time includes all its deliveries, and the next run inherits none.
        await untilDelivered(created);
        const cpuUs = ((server.cpuSeconds() - before) / run.ok) * 1e6;
        return { ...run, cpuUs };
      } finally {
        other.server.resume();
      }
    };
    if (warmUpSeconds > 0) await run(warmUpSeconds);
    return {
      async measured() {
        const result = await run(seconds);
        runs.push(result);
        return result.perSecond;
      },
      async check() {
        const stored = await captures.check();
        await untilDelivered(created);
        return stored;
      },
    };
  };
  const held = await begin(ours, against, urls[0] as string, heldRuns);
  const empty = await begin(against, ours, urls[1] as string, emptyRuns);
  const { a, b, ratio } = await inPairs(pairs, held.measured, empty.measured);
  const stored = await held.check();
  await empty.check();
  const figures = figuresOf(heldRuns);
  const withoutCpuUs = figuresOf(emptyRuns).cpuUs;
  return {
    label: `captures at ${connections} connections to another endpoint, ${count(deliveries)} deliveries waiting`,
    result: { kind: 'ratio', ...ratio },
    target: CAPTURE_TARGET,
    ours: perSecond(a.median),
    against: `${perSecond(b.median)} without them`,
    cpu: { unit: 'capture', oursUs: figures.cpuUs, againstUs: withoutCpuUs },
    notes: `p50 ${ms(figures.p50Ms)}, p99 ${ms(figures.p99Ms)}; ${outcome(stored, figures)}, all delivered`,
    figures: {
      capturesPerSecond: a.median,
      withoutPerSecond: b.median,
      withoutCpuUs,
      ...figures,
      ...stored,
    },
  };
}

/** Waits until each stored event of the endpoint is recorded as delivered. */
async function untilDelivered(account: Account): Promise<void> {
  await until(
    'not every captured event is delivered',
    async () => ({
      delivered: await countEvents(account, 'delivered'),
      stored: await countEvents(account),
    }),
    ({ delivered, stored }) => delivered === stored,
    DELIVER_DEADLINE_MS,
  );
}
