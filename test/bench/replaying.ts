import { type Account, countEvents, until } from './harness/api.ts';
import { count, perSecond } from './harness/figures.ts';
import type { Measurement } from './harness/measurement.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { inPairs, median } from './harness/statistics.ts';
import type { BareSenderOperations } from './programs/bare-sender.ts';
import type { ReceiverOperations } from './programs/receiver.ts';

const TARGET = { atLeast: 0.55 };
/** The most attempts under way at once to one destination (`src/server/compose-delivery.ts`). */
const CONCURRENCY = 128;
/** Time for the first deliveries, and for the last attempts of each replay to be recorded. */
const RECORD_DEADLINE_MS = 60_000;

/**
 * A bulk replay of events that were delivered before, so the server has learned how many
 * attempts its destination takes at once. The time and the CPU include the making of the
 * deliveries. Compared with `undici.request` in a loop, as `draining` does.
 */
export const replaying: Measurement = {
  name: 'replaying',
  async run({ sizes, datasets, profileDir, log }) {
    const { events, pairs } = sizes.replaying;
    await using receiver = new Program<ReceiverOperations>('receiver');
    const urls = await receiver.ask('listen', { urls: 1 });
    log(`queuing ${events} deliveries`);
    using filled = await datasets.make({ events, destinationUrls: urls });
    await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });
    await using sender = new Program<BareSenderOperations>('bare-sender');
    const account = { url: server.url, ...filled };
    const watch = { requests: events, warmUp: 0 };
    const ours: number[] = [];
    const bares: number[] = [];

    const replay = async (): Promise<number> => {
      await receiver.ask('watch', watch);
      const before = server.cpuSeconds();
      const startedAt = performance.now();
      const job = await startReplay(account);
      await receiver.ask('measured');
      const seconds = (performance.now() - startedAt) / 1000;
      ours.push(((server.cpuSeconds() - before) / events) * 1e6);
      await until(
        'not every delivery is recorded as a success',
        () => delivered(account, job),
        (recorded) => recorded === events,
        RECORD_DEADLINE_MS,
      );
      return events / seconds;
    };
    const send = async (): Promise<number> => {
      await sender.ask('prepare', { events });
      server.pause();
      try {
        const before = sender.cpuSeconds();
        const startedAt = performance.now();
        await sender.ask('send', { urls, concurrency: CONCURRENCY });
        bares.push(((sender.cpuSeconds() - before) / events) * 1e6);
        return (events / (performance.now() - startedAt)) * 1000;
      } finally {
        server.resume();
      }
    };

    // The deliveries of the captures, and one replay while the code is new.
    await until(
      'not every event is delivered',
      () => countEvents(account, 'delivered'),
      (recorded) => recorded === events,
      RECORD_DEADLINE_MS,
    );
    await replay();
    ours.length = 0;
    const { a, b, ratio } = await inPairs(pairs, replay, send);
    const oursUs = median(ours);
    const againstUs = median(bares);
    return [
      {
        label: 'deliveries of a bulk replay, made and drained to 1 known destination',
        result: { kind: 'ratio', ...ratio },
        target: TARGET,
        ours: perSecond(a.median),
        against: `${perSecond(b.median)} bare undici.request`,
        cpu: { unit: 'delivery', oursUs, againstUs },
        notes: `${count(events)} events, delivered before; all recorded as delivered`,
        figures: {
          deliveriesPerSecond: a.median,
          barePerSecond: b.median,
          cpuUs: oursUs,
          bareCpuUs: againstUs,
        },
      },
    ];
  },
};

/** Replays all events of the account's endpoint. Returns the id of the job. */
async function startReplay({ url, token, endpointId }: Account): Promise<string> {
  const response = await fetch(`${url}/api/endpoints/${endpointId}/replay`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  if (!response.ok) throw new Error(`the replay answered ${response.status}`);
  return ((await response.json()) as { job_id: string }).job_id;
}

async function delivered({ url, token, endpointId }: Account, job: string): Promise<number> {
  const response = await fetch(`${url}/api/endpoints/${endpointId}/replays/${job}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Error(`the job answered ${response.status}`);
  return ((await response.json()) as { delivered: number }).delivered;
}
