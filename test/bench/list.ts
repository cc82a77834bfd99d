import { count, ms } from './harness/figures.ts';
import type { Measurement } from './harness/measurement.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { inPairs, median } from './harness/statistics.ts';
import type { ApiClientOperations } from './programs/api-client.ts';
import type { Filled } from './programs/fill.ts';

const TARGET = { atMost: 2 };

/** The first page of a large endpoint against that of a small one, on two servers side by side. */
export const list: Measurement = {
  name: 'list',
  async run({ sizes, datasets, profileDir }) {
    const { smallEvents, largeEvents, requests, rounds } = sizes.list;
    const largeData = await datasets.shared(largeEvents);
    using smallData = await datasets.make(smallEvents, null);
    await using large = await HookrelayServer.start({ dataDir: largeData.dataDir, profileDir });
    await using small = await HookrelayServer.start({ dataDir: smallData.dataDir, profileDir });
    await using client = new Program<ApiClientOperations>('api-client');

    const firstPage = async (server: HookrelayServer, { token, endpointId, events }: Filled) => {
      const paths = Array<string>(requests).fill(`/api/endpoints/${endpointId}/events`);
      const answers = await client.ask('get', { origin: server.url, token, paths });
      if (answers.some(({ total }) => total !== events)) throw new Error('a total is wrong');
      return median(answers.map((answer) => answer.ms));
    };
    const onLarge = () => firstPage(large, largeData);
    const onSmall = () => firstPage(small, smallData);

    await onLarge();
    await onSmall();
    const { a, b, ratio } = await inPairs(rounds, onLarge, onSmall);
    return [
      {
        label: `first page of ${count(largeEvents)} events / of ${count(smallEvents)}`,
        result: { kind: 'ratio', ...ratio },
        target: TARGET,
        measured: `${ms(a.median)} against ${ms(b.median)}, medians of ${requests} requests`,
        figures: { largeMs: a.median, smallMs: b.median },
      },
    ];
  },
};
