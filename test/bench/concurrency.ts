import { setTimeout as sleep } from 'node:timers/promises';
import { countEvents, until } from './harness/api.ts';
import { count, ms, perSecond, short } from './harness/figures.ts';
import type { Context, Measurement, Row } from './harness/measurement.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { percentile, spread } from './harness/statistics.ts';
import type { BacklogOperations } from './programs/backlog.ts';
import type { PacedSenderOperations } from './programs/paced-sender.ts';
import type { ReceiverOperations } from './programs/receiver.ts';
import type { SlowReceiverOperations, SlowWork } from './programs/slow-receiver.ts';

const WORK_MS = 100;
const WORKERS = 8;
/** Work of the slow destination beside a fast one. */
const SLOW_MS = 2000;
/** Time for the last deliveries to arrive. */
const ARRIVE_DEADLINE_MS = 15_000;

/**
 * What `concurrency: auto` finds. The receivers need time and no processor, so the
 * figures hold on any machine that isn't busy:
 * - a receiver that takes 100 ms, however many requests it has: deliveries per second
 * - one with eight workers of 100 ms each, and a queue: the latency that its queue makes
 * - a fast destination beside a slow one with a backlog: capture to destination
 */
export const concurrency: Measurement = {
  name: 'concurrency',
  async run(context) {
    return [
      await rateToWideReceiver(context),
      await latencyOfNarrowReceiver(context),
      await fastBesideSlow(context),
    ];
  },
};

/** Answer times of a receiver to which a backlog drains, without the first seconds. */
async function drainTo(
  { sizes, datasets, profileDir, log }: Context,
  work: SlowWork,
  deliveries: number,
): Promise<{ first: number[]; times: number[] }> {
  const { seconds, warmUpSeconds } = sizes.concurrency;
  await using receiver = new Program<SlowReceiverOperations>('slow-receiver');
  const url = await receiver.ask('listen', work);
  log(`queuing ${deliveries} deliveries`);
  using filled = await datasets.make({ events: deliveries, destinationUrls: [url] });
  await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });
  await sleep(warmUpSeconds * 1000);
  const first = await receiver.ask('takeAnswerTimes');
  await sleep(seconds * 1000);
  const times = await receiver.ask('takeAnswerTimes');
  const target = { url: server.url, ...filled };
  if ((await countEvents(target, 'failed')) > 0) throw new Error('deliveries failed');
  if ((await countEvents(target, 'received')) === 0) throw new Error('the backlog was too short');
  return { first, times };
}

async function rateToWideReceiver(context: Context): Promise<Row> {
  const { seconds, warmUpSeconds, deliveries, rounds } = context.sizes.concurrency;
  const rates: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const { times } = await drainTo(context, { workMs: WORK_MS, workers: null }, deliveries);
    rates.push(times.length / seconds);
  }
  const rate = spread(rates);
  return {
    label: `deliveries to a receiver that takes ${WORK_MS} ms`,
    result: { kind: 'absolute', unit: '/s', ...rate },
    target: { atLeast: 600 },
    ours: perSecond(rate.median),
    against: '',
    notes: `for ${seconds} s, ${warmUpSeconds} s after the start`,
    figures: { deliveriesPerSecond: rate.median },
  };
}

async function latencyOfNarrowReceiver(context: Context): Promise<Row> {
  const { seconds, warmUpSeconds, narrowDeliveries, rounds } = context.sizes.concurrency;
  const work = { workMs: WORK_MS, workers: WORKERS };
  const ratios: number[] = [];
  const all: number[] = [];
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rounds; i++) {
    const { first, times } = await drainTo(context, work, narrowDeliveries);
    const ownBest = Math.min(...first, ...times);
    best = Math.min(best, ownBest);
    ratios.push(mean(times) / ownBest);
    all.push(...times);
  }
  return {
    label: `latency of a receiver with ${WORKERS} workers, ${WORK_MS} ms each`,
    result: { kind: 'ratio', ...spread(ratios) },
    target: { atMost: 2 },
    ours: `${ms(mean(all))} mean`,
    against: `${ms(best)} at best`,
    notes: `p50 ${ms(percentile(all, 50))}, p99 ${ms(percentile(all, 99))}, ${short(all.length / seconds / rounds)} of ${(WORKERS * 1000) / WORK_MS}/s delivered, ${warmUpSeconds} s after the start`,
    figures: {
      meanMs: mean(all),
      bestMs: best,
      p50: percentile(all, 50),
      p99: percentile(all, 99),
      deliveriesPerSecond: all.length / seconds / rounds,
    },
  };
}

async function fastBesideSlow(context: Context): Promise<Row> {
  const { seconds, perSecond: rate, slowDeliveries } = context.sizes.concurrency;
  const beside = await fastLatencies(context, slowDeliveries);
  const alone = await fastLatencies(context, 0);
  const p99 = percentile(beside.latencies, 99);
  const p99Alone = percentile(alone.latencies, 99);
  return {
    label: `capture to a fast destination beside a slow one, p99 at ${rate}/s`,
    result: { kind: 'absolute', unit: 'ms', median: p99, min: p99, max: p99 },
    ours: ms(p99),
    against: `${ms(p99Alone)} alone`,
    notes: `for ${seconds} s; p50 ${ms(percentile(beside.latencies, 50))}, ${ms(percentile(alone.latencies, 50))} alone; the slow one takes ${SLOW_MS} ms, had ${count(slowDeliveries)} waiting, and took ${count(beside.slow)} meanwhile`,
    figures: { p99, p99Alone, slowDelivered: beside.slow },
  };
}

/** Capture to fast destination, ms, while another destination has `slowDeliveries` waiting. */
async function fastLatencies(
  { sizes, datasets, profileDir }: Context,
  slowDeliveries: number,
): Promise<{ latencies: number[]; slow: number }> {
  const { seconds, warmUpSeconds, perSecond: rate } = sizes.concurrency;
  await using receiver = new Program<ReceiverOperations>('receiver');
  await using slow = new Program<SlowReceiverOperations>('slow-receiver');
  await using sender = new Program<PacedSenderOperations>('paced-sender');
  const destinationUrls = await receiver.ask('listen', { urls: 1 });
  const destinationUrl = await slow.ask('listen', { workMs: SLOW_MS, workers: null });
  using filled = await datasets.make({ events: 0, destinationUrls });
  if (slowDeliveries > 0) {
    await using backlog = new Program<BacklogOperations>('backlog');
    const { dataDir } = filled;
    await backlog.ask('queue', { dataDir, deliveries: slowDeliveries, destinationUrl });
  }
  await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });
  const url = `${server.url}/in/${filled.publicToken}`;
  await sender.ask('send', { url, perSecond: rate, seconds: warmUpSeconds });
  await receiver.ask('takeLatencies');
  await slow.ask('takeAnswerTimes');
  const { sent, ok } = await sender.ask('send', { url, perSecond: rate, seconds });
  if (ok !== sent) throw new Error(`of ${sent} requests, ${ok} were answered with 2xx`);
  const latencies: number[] = [];
  await until(
    `not every one of ${sent} requests arrived`,
    async () => latencies.push(...(await receiver.ask('takeLatencies'))),
    (arrived) => arrived >= sent,
    ARRIVE_DEADLINE_MS,
  );
  return { latencies, slow: (await slow.ask('takeAnswerTimes')).length };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
