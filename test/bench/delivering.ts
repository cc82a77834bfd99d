import { countEvents } from './harness/api.ts';
import { BareServer, bareRow, compareWithBare } from './harness/bare-comparison.ts';
import { perSecond } from './harness/figures.ts';
import type { Context, Measurement, Row, Target } from './harness/measurement.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { median } from './harness/statistics.ts';
import type { ReceiverOperations } from './programs/receiver.ts';

/** Keyed by the number of destinations. Each is its own server and gets every event. */
const TARGETS: [number, Target][] = [
  [1, { atLeast: 0.3 }],
  [5, { atLeast: 0.2 }],
];

/** The same as `captures`, with destinations that get all events at the same time. */
export const delivering: Measurement = {
  name: 'delivering',
  async run(context) {
    const rows: Row[] = [];
    for (const [destinations, target] of TARGETS) {
      context.log(`${destinations} destinations`);
      rows.push(await withDestinations(context, destinations, target));
    }
    return rows;
  },
};

async function withDestinations(
  { sizes, load, datasets, profileDir }: Context,
  destinations: number,
  target: Target,
): Promise<Row> {
  const { connections, ...lengths } = sizes.delivering;
  await using bare = new BareServer();
  await using receiver = new Program<ReceiverOperations>('receiver');
  using filled = await datasets.make({
    events: 0,
    destinationUrls: await receiver.ask('listen', { urls: destinations }),
  });
  await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });

  const deliveries: number[] = [];
  const compared = await compareWithBare(
    bare,
    { load, server, filled, connections },
    lengths,
    async () => {
      const before = await receiver.ask('count');
      return async ({ seconds }) => {
        deliveries.push(((await receiver.ask('count')) - before) / seconds);
      };
    },
  );
  const failedEvents = await countEvents({ url: server.url, ...filled }, 'failed');
  if (failedEvents > 0) throw new Error(`deliveries of ${failedEvents} events failed`);
  const delivered = median(deliveries);
  const label = `captures at ${connections} connections, ${destinations} destination${destinations === 1 ? '' : 's'}`;
  const row = bareRow(label, target, compared, `delivering ${perSecond(delivered)} meanwhile; `);
  return { ...row, figures: { ...row.figures, deliveriesPerSecond: delivered } };
}
