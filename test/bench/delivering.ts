import { countEvents } from './harness/api.ts';
import { compareCaptures } from './harness/capture-load.ts';
import { count, ms, perSecond } from './harness/figures.ts';
import type { Measurement } from './harness/measurement.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { median } from './harness/statistics.ts';
import type { BareServerOperations } from './programs/bare-server.ts';
import type { ReceiverOperations } from './programs/receiver.ts';

const TARGET = { atLeast: 0.2 };

/** The same as `captures`, with a destination to which everything is delivered meanwhile. */
export const delivering: Measurement = {
  name: 'delivering',
  async run({ sizes, load, datasets, profileDir }) {
    const { connections } = sizes.delivering;
    await using bare = new Program<BareServerOperations>('bare-server');
    await using receiver = new Program<ReceiverOperations>('receiver');
    const bareUrl = await bare.ask('listen');
    using filled = await datasets.make(0, await receiver.ask('listen'));
    await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });

    const deliveries: number[] = [];
    const compared = await compareCaptures({
      load,
      server,
      filled,
      bareUrl,
      ...sizes.delivering,
      async beginRun() {
        const before = await receiver.ask('count');
        return async ({ seconds }) => {
          deliveries.push(((await receiver.ask('count')) - before) / seconds);
        };
      },
    });
    const failedEvents = await countEvents({ url: server.url, ...filled }, 'failed');
    if (failedEvents > 0) throw new Error(`deliveries of ${failedEvents} events failed`);
    const { a, b, ratio, failed, answered, stored, p50Ms, p99Ms } = compared;
    const delivered = median(deliveries);
    return [
      {
        label: `captures, ${connections} connections / bare node:http`,
        result: { kind: 'ratio', ...ratio },
        target: TARGET,
        measured:
          `${perSecond(a.median)} of ${perSecond(b.median)}, delivering ${perSecond(delivered)} meanwhile; ` +
          `p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}; ` +
          `answered ${count(answered)}, stored ${count(stored)}${failed > 0 ? `, FAILED ${count(failed)}` : ''}`,
        figures: {
          capturesPerSecond: a.median,
          barePerSecond: b.median,
          deliveriesPerSecond: delivered,
          p50Ms,
          p99Ms,
          answered,
          stored,
          failed,
        },
      },
    ];
  },
};
