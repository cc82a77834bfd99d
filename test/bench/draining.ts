import { countEvents, until } from './harness/api.ts';
import { count, perSecond } from './harness/figures.ts';
import type { Context, Measurement, Row } from './harness/measurement.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { inPairs, median } from './harness/statistics.ts';
import type { BareSenderOperations } from './programs/bare-sender.ts';
import type { ReceiverOperations } from './programs/receiver.ts';

const TARGET = { atLeast: 0.55 };
/**
 * Attempts under way at once, to one destination at first and in all
 * (`src/server/compose-delivery.ts`).
 */
const SLOTS_PER_DESTINATION = 16;
const SLOTS = 256;
/** Time for the last attempts to be recorded after the last request arrived. */
const RECORD_DEADLINE_MS = 10_000;

/**
 * A backlog of deliveries, written to the table beforehand so that nothing but
 * draining happens. A server that starts on it drains it. Compared with
 * `undici.request` in a loop, with the same bodies, headers and concurrency, to the
 * same receiver. The receiver takes the time, from the first request after the
 * warm-up to the last.
 */
export const draining: Measurement = {
  name: 'draining',
  async run(context) {
    const rows: Row[] = [];
    for (const destinations of context.sizes.draining.destinations) {
      rows.push(await toDestinations(context, destinations));
    }
    return rows;
  },
};

async function toDestinations(
  { sizes, datasets, profileDir, log }: Context,
  destinations: number,
): Promise<Row> {
  const { deliveries, warmUp, pairs } = sizes.draining;
  await using receiver = new Program<ReceiverOperations>('receiver');
  const urls = await receiver.ask('listen', { urls: destinations });
  const watch = { requests: deliveries, warmUp };
  const events = deliveries / destinations;
  const concurrency = Math.min(SLOTS, SLOTS_PER_DESTINATION * destinations);
  const ours: number[] = [];
  const bares: number[] = [];

  /** Deliveries per second, and the CPU time of `sender` for each delivery, from first to last. */
  const measured = async (sender: { cpuSeconds(): number }, cpuUs: number[]) => {
    const before = sender.cpuSeconds();
    const { requests, seconds } = await receiver.ask('measured');
    cpuUs.push(((sender.cpuSeconds() - before) / deliveries) * 1e6);
    return requests / seconds;
  };
  const drain = async (): Promise<number> => {
    log(`queuing ${deliveries} deliveries to ${destinations} destinations`);
    using filled = await datasets.make({ events, destinationUrls: urls });
    await receiver.ask('watch', watch);
    await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });
    const rate = await measured(server, ours);
    await until(
      'not every delivery is recorded as a success',
      () => countEvents({ url: server.url, ...filled }, 'delivered'),
      (delivered) => delivered === events,
      RECORD_DEADLINE_MS,
    );
    return rate;
  };
  const send = async (): Promise<number> => {
    await using sender = new Program<BareSenderOperations>('bare-sender');
    await sender.ask('prepare', { events });
    await receiver.ask('watch', watch);
    const [rate] = await Promise.all([
      measured(sender, bares),
      sender.ask('send', { urls, concurrency }),
    ]);
    return rate;
  };

  const { a, b, ratio } = await inPairs(pairs, drain, send);
  const oursUs = median(ours);
  const againstUs = median(bares);
  return {
    label: `deliveries drained to ${destinations} destination${destinations === 1 ? '' : 's'}`,
    result: { kind: 'ratio', ...ratio },
    target: TARGET,
    ours: perSecond(a.median),
    against: `${perSecond(b.median)} bare undici.request`,
    cpu: { unit: 'delivery', oursUs, againstUs },
    notes: `${count(deliveries)} in all, ${concurrency} at once, after ${count(warmUp)} to warm up; all recorded as delivered`,
    figures: {
      deliveriesPerSecond: a.median,
      barePerSecond: b.median,
      cpuUs: oursUs,
      bareCpuUs: againstUs,
    },
  };
}
