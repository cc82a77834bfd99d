import { count, perSecond } from './harness/figures.ts';
import type { Measurement } from './harness/measurement.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { median } from './harness/statistics.ts';
import { WORD_IN_ALL, WORD_IN_SOME } from './harness/stored-events.ts';
import type { ApiClientOperations } from './programs/api-client.ts';

const TARGET = { atMost: 220 };
const BYTES_PER_MB = 1e6;
const SAMPLE_EVERY_MS = 200;
const LISTS_AT_ONCE = 2;
const SEARCHES_AT_ONCE = 2;

/**
 * Resident memory of a server with many events, while it captures, lists,
 * searches and indexes what it captures. The peak is the kernel's (VmHWM).
 */
export const memory: Measurement = {
  name: 'memory',
  async run({ sizes, load, datasets, profileDir }) {
    const { events, connections, seconds } = sizes.memory;
    const filled = await datasets.shared(events);
    await using server = await HookrelayServer.start({ dataDir: filled.dataDir, profileDir });
    await using client = new Program<ApiClientOperations>('api-client');
    const idle = server.memory().residentBytes / BYTES_PER_MB;

    const api = { origin: server.url, token: filled.token, seconds };
    const page = `/api/endpoints/${filled.endpointId}/events?limit=50`;
    const queries = [filled.uuids[0], filled.emails[0], WORD_IN_SOME, WORD_IN_ALL];
    const searchPaths = queries.map((q) => `${page}&q=${encodeURIComponent(q as string)}`);
    const samples: number[] = [];
    const sampling = setInterval(() => {
      samples.push(server.memory().residentBytes / BYTES_PER_MB);
    }, SAMPLE_EVERY_MS);
    try {
      const url = `${server.url}/in/${filled.publicToken}`;
      const [captured, lists, searches] = await Promise.all([
        load.run({ url, connections, seconds }),
        client.ask('repeat', { ...api, paths: [page], atOnce: LISTS_AT_ONCE }),
        client.ask('repeat', { ...api, paths: searchPaths, atOnce: SEARCHES_AT_ONCE }),
      ]);
      const peak = server.memory().peakBytes / BYTES_PER_MB;
      const usual = median(samples);
      const rate = captured.ok / captured.seconds;
      return [
        {
          label: `peak with ${count(events)} events under load`,
          result: { kind: 'absolute', unit: 'MB', median: peak, min: peak, max: peak },
          target: TARGET,
          ours: `${count(peak)} MB; median ${count(usual)} MB, idle before ${count(idle)} MB`,
          against: '',
          notes:
            `${perSecond(rate)} captured on ${connections} connections, ` +
            `${count(lists)} lists, ${count(searches)} searches in ${seconds} s`,
          figures: { peak, idle, median: usual, capturesPerSecond: rate, lists, searches },
        },
      ];
    } finally {
      clearInterval(sampling);
    }
  },
};
