import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { count } from './harness/figures.ts';
import type { Measurement } from './harness/measurement.ts';

const TARGET = { atMost: 2.2 };
/** Unit of `st_blocks`, on every file system. */
const BLOCK_BYTES = 512;

/**
 * Disk space of a data directory, with all events indexed and the server stopped,
 * for each received byte of body and headers.
 */
export const disk: Measurement = {
  name: 'disk',
  async run({ sizes, datasets }) {
    const { dataDir, receivedBytes, events } = await datasets.shared(sizes.disk.events);
    const onDisk = readdirSync(dataDir)
      .map((name) => statSync(join(dataDir, name)).blocks * BLOCK_BYTES)
      .reduce((sum, bytes) => sum + bytes, 0);
    const ratio = onDisk / receivedBytes;
    return [
      {
        label: 'bytes on disk, index included, of an event',
        result: { kind: 'ratio', median: ratio, min: ratio, max: ratio },
        target: TARGET,
        ours: `${count(onDisk / events)} bytes`,
        against: `${count(receivedBytes / events)} bytes of body and headers`,
        notes: `${count(events)} events without deliveries`,
        figures: { onDisk, receivedBytes, events },
      },
    ];
  },
};
