import { until } from './harness/api.ts';
import { ms } from './harness/figures.ts';
import type { Measurement } from './harness/measurement.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { percentile, spread } from './harness/statistics.ts';
import type { PacedSenderOperations } from './programs/paced-sender.ts';
import type { ReceiverOperations } from './programs/receiver.ts';

const P50_TARGET = { atMost: 4 };
const P99_TARGET = { atMost: 30 };
/** Time for the last deliveries to arrive. */
const ARRIVE_DEADLINE_MS = 15_000;

/**
 * Time from the sender's send to the destination's last byte, at a steady rate. The
 * same sender also sends straight to the same receiver, in turn, which shows the
 * machine's part.
 */
export const latency: Measurement = {
  name: 'latency',
  async run({ sizes, datasets, profileDir }) {
    const { perSecond, seconds, warmUpSeconds, rounds } = sizes.latency;
    await using receiver = new Program<ReceiverOperations>('receiver');
    await using sender = new Program<PacedSenderOperations>('paced-sender');
    const [receiverUrl] = (await receiver.ask('listen', { urls: 1 })) as [string];
    using filled = await datasets.make({ events: 0, destinationUrls: [receiverUrl] });
    await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });

    const measure = async (url: string, duration: number): Promise<number[]> => {
      await receiver.ask('takeLatencies');
      const { sent, ok } = await sender.ask('send', { url, perSecond, seconds: duration });
      if (ok !== sent) throw new Error(`of ${sent} requests, ${ok} were answered with 2xx`);
      const latencies: number[] = [];
      await until(
        `not every one of ${sent} requests arrived`,
        async () => latencies.push(...(await receiver.ask('takeLatencies'))),
        (arrived) => arrived >= sent,
        ARRIVE_DEADLINE_MS,
      );
      if (latencies.length > sent) throw new Error(`${latencies.length} of ${sent} arrived`);
      return latencies;
    };

    const captureUrl = `${server.url}/in/${filled.publicToken}`;
    const direct: number[][] = [];
    const through: number[][] = [];
    if (warmUpSeconds > 0) {
      await measure(receiverUrl, warmUpSeconds);
      await measure(captureUrl, warmUpSeconds);
    }
    for (let i = 0; i < rounds; i++) {
      through.push(await measure(captureUrl, seconds));
      direct.push(await measure(receiverUrl, Math.ceil(seconds / 3)));
    }
    const at = (of: number[][], percent: number) =>
      spread(of.map((latencies) => percentile(latencies, percent)));
    const worst = Math.max(...through.flat());
    return [50, 99].map((percent) => ({
      label: `capture to destination, p${percent} at ${perSecond}/s`,
      result: { kind: 'absolute', unit: 'ms', ...at(through, percent) },
      target: percent === 50 ? P50_TARGET : P99_TARGET,
      ours: ms(at(through, percent).median),
      against: `${ms(at(direct, percent).median)} without hookrelay`,
      notes: `slowest of all ${ms(worst)}`,
      figures: { ms: at(through, percent).median, directMs: at(direct, percent).median, worst },
    }));
  },
};
