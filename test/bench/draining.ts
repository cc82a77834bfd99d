import { countEvents, until } from './harness/api.ts';
import { count, perSecond } from './harness/figures.ts';
import type { Measurement } from './harness/measurement.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { inPairs } from './harness/statistics.ts';
import type { BareSenderOperations } from './programs/bare-sender.ts';
import type { ReceiverOperations } from './programs/receiver.ts';

const TARGET = { atLeast: 0.35 };
/** Attempts under way to one destination (`slotsPerDestination` in `src/serve.ts`). */
const CONCURRENCY = 16;
/** For the last attempts to be recorded, after the last request was seen. */
const RECORD_DEADLINE_MS = 10_000;

/**
 * A backlog of deliveries to one destination: written to the table beforehand,
 * so that nothing but draining happens, then worked off by a server that starts
 * on it. Against `undici.request` in a loop, with the same bodies and headers.
 * Timed at the receiver, from the first request after the warm-up to the last.
 */
export const draining: Measurement = {
  name: 'draining',
  async run({ sizes, datasets, profileDir, log }) {
    const { deliveries, warmUp, pairs } = sizes.draining;
    await using receiver = new Program<ReceiverOperations>('receiver');
    const receiverUrl = await receiver.ask('listen');
    const watch = { requests: deliveries, warmUp };

    const drain = async (): Promise<number> => {
      log(`queuing ${deliveries} deliveries`);
      using filled = await datasets.make(deliveries, receiverUrl);
      await receiver.ask('watch', watch);
      await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });
      const { requests, seconds } = await receiver.ask('measured');
      await until(
        'not every delivery is recorded as a success',
        () => countEvents({ url: server.url, ...filled }, 'delivered'),
        (delivered) => delivered === deliveries,
        RECORD_DEADLINE_MS,
      );
      return requests / seconds;
    };
    const send = async (): Promise<number> => {
      await using sender = new Program<BareSenderOperations>('bare-sender');
      await sender.ask('prepare', { events: deliveries });
      await receiver.ask('watch', watch);
      await sender.ask('send', { url: receiverUrl, concurrency: CONCURRENCY });
      const { requests, seconds } = await receiver.ask('measured');
      return requests / seconds;
    };

    const { a, b, ratio } = await inPairs(pairs, drain, send);
    return [
      {
        label: `${count(deliveries)} deliveries / bare undici.request`,
        result: { kind: 'ratio', ...ratio },
        target: TARGET,
        measured: `${perSecond(a.median)} of ${perSecond(b.median)}, ${CONCURRENCY} at once, after ${count(warmUp)} to warm up; all recorded as delivered`,
        figures: { deliveriesPerSecond: a.median, barePerSecond: b.median },
      },
    ];
  },
};
