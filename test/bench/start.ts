import { createServer } from 'node:net';
import { count, short } from './harness/figures.ts';
import { listening } from './harness/listening.ts';
import type { Measurement, Row } from './harness/measurement.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { spread } from './harness/statistics.ts';
import type { BacklogOperations } from './programs/backlog.ts';

const TARGET = { atMost: 0.5 };

/**
 * Time from the start of the process to its ready line, on a large data directory
 * with many pending deliveries: first all due, after the server was killed; then
 * all retries for later, after it was stopped. Their destination accepts
 * connections and never answers, so each start leaves as many due as the one
 * before.
 */
export const start: Measurement = {
  name: 'start',
  async run({ sizes, datasets, profileDir, log }) {
    const { events, deliveries, starts } = sizes.start;
    const { dataDir } = await datasets.shared(events);
    await using silent = await listening(createServer());
    await using backlog = new Program<BacklogOperations>('backlog');
    log(`queuing ${deliveries} deliveries`);
    await backlog.ask('queue', { dataDir, deliveries, destinationUrl: silent.url });

    const timed = async (end: (server: HookrelayServer) => Promise<void>) => {
      const seconds: number[] = [];
      // The first start isn't counted: each measured start follows one of the same
      // kind.
      for (let i = 0; i <= starts; i++) {
        const server = await HookrelayServer.start({ dataDir, profileDir });
        if (i > 0) seconds.push(server.readyMs / 1000);
        await end(server);
      }
      return spread(seconds);
    };
    const row = (label: string, result: ReturnType<typeof spread>): Row => ({
      label,
      result: { kind: 'absolute', unit: 's', ...result },
      target: TARGET,
      ours: `${short(result.median)} s`,
      against: '',
      notes: `${count(events)} events, ${count(deliveries)} pending deliveries; ${starts} starts`,
      figures: { seconds: result.median, events, deliveries },
    });

    const killed = row('to ready after kill -9, all deliveries due', await timed((s) => s.kill()));
    log('postponing them');
    await backlog.ask('postpone', { dataDir });
    const stop = (server: HookrelayServer) => server[Symbol.asyncDispose]();
    return [
      killed,
      row('to ready after a stop, all deliveries retries of later', await timed(stop)),
    ];
  },
};
