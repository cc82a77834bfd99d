import { BareServer, bareRow, compareWithBare } from './harness/bare-comparison.ts';
import type { Measurement, Row } from './harness/measurement.ts';
import { HookrelayServer } from './harness/server.ts';

const TARGET = { atLeast: 0.5 };

/**
 * Durable captures of 1 KB bodies without a destination, compared with `node:http`
 * that stores nothing. The server's share includes indexing, which runs at the same
 * time.
 */
export const captures: Measurement = {
  name: 'captures',
  async run({ sizes, load, datasets, profileDir, log }) {
    await using bare = new BareServer();
    const rows: Row[] = [];
    for (const { connections, judged, ...lengths } of sizes.captures) {
      log(`${connections} connections`);
      // A new data directory, so that no measurement inherits another's backlog.
      using filled = await datasets.make({ events: 0 });
      await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });
      const target = { load, server, filled, connections };
      const label = `${connections} connection${connections === 1 ? '' : 's'}`;
      const compared = await compareWithBare(bare, target, lengths);
      rows.push(bareRow(label, judged ? TARGET : undefined, compared));
    }
    return rows;
  },
};
