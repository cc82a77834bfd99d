import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ms } from './harness/figures.ts';
import type { Measurement, Row } from './harness/measurement.ts';
import { HookrelayServer } from './harness/server.ts';
import { spread } from './harness/statistics.ts';

const HOST = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const FILE = `dist/hookrelay-${HOST}${HOST.startsWith('win') ? '.exe' : ''}`;
const BINARY = fileURLToPath(new URL(`../../${FILE}`, import.meta.url));
const TARGET = { atMost: 500 };
const BYTES_PER_MB = 1e6;

/** The packed binary: its size, and the time from its start to its ready line. */
export const start: Measurement = {
  name: 'start',
  async run({ sizes, datasets, log }) {
    const file = statSync(BINARY, { throwIfNoEntry: false });
    if (!file) {
      log(`start SKIPPED: there is no ${FILE}; "npm run build:binary" makes it`);
      return [];
    }
    using data = await datasets.make(sizes.start.events, null);
    const { dataDir } = data;
    const timed = async (command?: string[]) => {
      const startedAt = performance.now();
      await using _server = await HookrelayServer.start({ dataDir, profileDir: null, command });
      return performance.now() - startedAt;
    };
    const binaryMs: number[] = [];
    const packageMs: number[] = [];
    // The first start of each unpacks addons and fills the cache of compiled code.
    for (let i = 0; i <= sizes.start.starts; i++) {
      const [binary, unpacked] = [await timed([BINARY]), await timed()];
      if (i === 0) continue;
      binaryMs.push(binary);
      packageMs.push(unpacked);
    }
    const binary = spread(binaryMs);
    const unpacked = spread(packageMs);
    const megabytes = file.size / BYTES_PER_MB;
    const rows: Row[] = [
      {
        label: 'binary, start to ready',
        result: { kind: 'absolute', unit: 'ms', ...binary },
        target: TARGET,
        measured: `dist/cli.mjs on Node, in turn: ${ms(unpacked.median)}; ${sizes.start.starts} starts`,
        figures: { binaryMs: binary.median, packageMs: unpacked.median },
      },
      {
        label: 'binary, size',
        result: {
          kind: 'absolute',
          unit: 'MB',
          median: megabytes,
          min: megabytes,
          max: megabytes,
        },
        measured: FILE,
        figures: { bytes: file.size },
      },
    ];
    return rows;
  },
};
