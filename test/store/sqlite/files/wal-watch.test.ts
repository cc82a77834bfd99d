import { expect, test } from 'vitest';
import { WalWatch } from '../../../../src/store/sqlite/files/wal-watch.ts';
import { ManualClock } from '../../../fixtures/manual-clock.ts';

const MIB = 1024 ** 2;

test('a warning is logged once each time the log gets long', () => {
  const clock = new ManualClock();
  const said: string[] = [];
  const note = (level: string) => (_message: string, fields?: { bytes?: number }) => {
    said.push(`${level} ${Number(fields?.bytes) / MIB}`);
  };
  const log = {
    debug: note('debug'),
    info: note('info'),
    warn: note('warn'),
    error: note('error'),
  };
  let mib = 0;
  let looks = 0;
  const watch = new WalWatch(
    () => {
      looks++;
      return mib * MIB;
    },
    clock,
    log,
  );
  for (const next of [10, 256, 257, 1000, 5000, 64, 256, 300, 301, 0]) {
    mib = next;
    clock.advance(1000);
    // One measurement a second, for thousands of commits.
    for (let i = 0; i < 100; i++) watch.onCommit();
  }
  expect(said).toEqual(['warn 257', 'info 64', 'warn 300', 'info 0']);
  expect(looks).toBe(10);
});
