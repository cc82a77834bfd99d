import { compareCaptures } from './harness/capture-load.ts';
import { count, ms, perSecond } from './harness/figures.ts';
import type { Context, Measurement, Row } from './harness/measurement.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import type { BareServerOperations } from './programs/bare-server.ts';

const TARGET = { atLeast: 0.35 };

/**
 * Durable captures of 1 KB bodies, no destination, against `node:http` that
 * stores nothing. The server's share includes indexing, which runs meanwhile.
 */
export const captures: Measurement = {
  name: 'captures',
  async run(context) {
    const { judgedConnections, judgedPairs, otherConnections, otherPairs } = context.sizes.captures;
    await using bare = new Program<BareServerOperations>('bare-server');
    const bareUrl = await bare.ask('listen');
    const judged = await atConnections(context, bareUrl, judgedConnections, judgedPairs);
    const rows: Row[] = [{ ...judged, target: TARGET }];
    for (const connections of otherConnections) {
      rows.push(await atConnections(context, bareUrl, connections, otherPairs));
    }
    return rows;
  },
};

/** On a new data directory, so that no measurement inherits the backlog of another. */
async function atConnections(
  { sizes, load, datasets, profileDir, log }: Context,
  bareUrl: string,
  connections: number,
  pairs: number,
): Promise<Row> {
  log(`${connections} connections`);
  using filled = await datasets.make(0, null);
  await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });
  const { seconds, warmUpSeconds } = sizes.captures;
  const options = { load, server, filled, bareUrl, connections, pairs, seconds, warmUpSeconds };
  const { a, b, ratio, failed, answered, stored, p50Ms, p99Ms } = await compareCaptures(options);
  return {
    label: `${connections} connection${connections === 1 ? '' : 's'} / bare node:http`,
    result: { kind: 'ratio', ...ratio },
    measured:
      `${perSecond(a.median)} of ${perSecond(b.median)}; p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}; ` +
      `answered ${count(answered)}, stored ${count(stored)}${failed > 0 ? `, FAILED ${count(failed)}` : ''}`,
    figures: {
      capturesPerSecond: a.median,
      barePerSecond: b.median,
      p50Ms,
      p99Ms,
      answered,
      stored,
      failed,
    },
  };
}
