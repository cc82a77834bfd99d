import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ms } from './harness/figures.ts';
import type { Measurement } from './harness/measurement.ts';
import { HookrelayServer } from './harness/server.ts';
import { spread } from './harness/statistics.ts';

const HOST = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const FILE = `dist/hookrelay-${HOST}${HOST.startsWith('win') ? '.exe' : ''}`;
const BINARY = fileURLToPath(new URL(`../../${FILE}`, import.meta.url));
const TARGET = { atMost: 500 };
const BYTES_PER_MB = 1e6;

/** The packed binary: its size, and the time from its start to its ready line. */
export const binary: Measurement = {
  name: 'binary',
  async run({ sizes, datasets, log }) {
    const file = statSync(BINARY, { throwIfNoEntry: false });
    if (!file) {
      log(`binary SKIPPED: there is no ${FILE}; "npm run build:binary" makes it`);
      return [];
    }
    const { starts } = sizes.binary;
    using data = await datasets.make({ events: 0 });
    const timed = async (command?: string[]) => {
      const options = { dataDir: data.dataDir, profileDir: null, command };
      await using server = await HookrelayServer.start(options);
      return server.readyMs;
    };
    const packed: number[] = [];
    const unpacked: number[] = [];
    // The first start unpacks addons and fills the cache of compiled code.
    for (let i = 0; i <= starts; i++) {
      const [ours, against] = [await timed([BINARY]), await timed()];
      if (i === 0) continue;
      packed.push(ours);
      unpacked.push(against);
    }
    const [start, against] = [spread(packed), spread(unpacked)];
    const megabytes = file.size / BYTES_PER_MB;
    return [
      {
        label: 'to ready, nothing stored',
        result: { kind: 'absolute', unit: 'ms', ...start },
        target: TARGET,
        ours: ms(start.median),
        against: `${ms(against.median)}, the npm package on Node`,
        notes: `${starts} starts each, in turn`,
        figures: { binaryMs: start.median, packageMs: against.median },
      },
      {
        label: 'size',
        result: { kind: 'absolute', unit: 'MB', median: megabytes, min: megabytes, max: megabytes },
        ours: `${megabytes.toFixed(1)} MB`,
        against: '',
        notes: FILE,
        figures: { bytes: file.size },
      },
    ];
  },
};
