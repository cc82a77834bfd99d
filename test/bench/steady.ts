import { count, short } from './harness/figures.ts';
import type { Context, Measurement } from './harness/measurement.ts';
import { answeredRate, rateShortfall } from './harness/paced-rate.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { inPairs, median } from './harness/statistics.ts';
import type { BareForwarderOperations } from './programs/bare-forwarder.ts';
import type { PacedSenderOperations } from './programs/paced-sender.ts';
import type { ReceiverOperations } from './programs/receiver.ts';

const TARGET = { atMost: 2 };
const CONCURRENCY = 128;

/**
 * What an event costs at a low, even rate, where nearly every one has its own commit: CPU, bytes
 * written and system calls. Compared with a forwarder that stores nothing.
 */
export const steady: Measurement = {
  name: 'steady',
  async run({ sizes, datasets, profileDir }: Context) {
    const { pairs, perSecond: wanted, seconds, warmUpSeconds } = sizes.steady;
    await using receiver = new Program<ReceiverOperations>('receiver');
    await using sender = new Program<PacedSenderOperations>('paced-sender');
    await using bare = new Program<BareForwarderOperations>('bare-forwarder');
    const destinationUrls = await receiver.ask('listen', { urls: 1 });
    const bareUrl = await bare.ask('listen', { to: destinationUrls, concurrency: CONCURRENCY });
    using filled = await datasets.make({ events: 0, destinationUrls });
    await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });
    const url = `${server.url}/in/${filled.publicToken}`;

    const rates: number[] = [];
    const written: number[] = [];
    const send = (to: string, duration: number) =>
      sender.ask('send', { url: to, perSecond: wanted, seconds: duration });
    const cpuUs = async (to: string, process: { cpuSeconds(): number }) => {
      const before = process.cpuSeconds();
      const result = await send(to, seconds);
      rates.push(answeredRate(result));
      return ((process.cpuSeconds() - before) / result.sent) * 1e6;
    };
    const ours = async () => {
      const before = server.writtenBytes();
      const us = await cpuUs(url, server);
      written.push((server.writtenBytes() - before) / (wanted * seconds));
      return us;
    };
    if (warmUpSeconds > 0) {
      await send(bareUrl, warmUpSeconds);
      await send(url, warmUpSeconds);
    }
    const { a, b, ratio } = await inPairs(pairs, ours, () => cpuUs(bareUrl, bare));
    const calls = async (to: string, process: HookrelayServer | typeof bare) => {
      const all = await process.systemCalls(() => send(to, seconds));
      return all === null ? null : all / (wanted * seconds);
    };
    const ourCalls = await calls(url, server);
    const bareCalls = await calls(bareUrl, bare);
    const writtenBytes = median(written);
    return [
      {
        label: `CPU of an event at ${wanted}/s, 1 destination`,
        result: { kind: 'ratio', ...ratio },
        target: TARGET,
        ours: `${count(a.median)} µs`,
        against: `${count(b.median)} µs bare forwarder`,
        shortfall: rateShortfall(Math.min(...rates), wanted),
        notes: `${short(writtenBytes / 1024)} KiB written; ${systemCallsText(ourCalls, bareCalls)}`,
        figures: {
          cpuUs: a.median,
          bareCpuUs: b.median,
          writtenBytes,
          ...(ourCalls !== null && bareCalls !== null && { ourCalls, bareCalls }),
        },
      },
    ];
  },
};

function systemCallsText(ours: number | null, bare: number | null): string {
  if (ours === null || bare === null) return "system calls not counted: strace can't attach";
  return `${short(ours)} system calls, bare ${short(bare)}`;
}
