import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempDir } from './temp-store.ts';

const SCRIPT = fileURLToPath(new URL('open-child.ts', import.meta.url));
/** As many as `open-child.ts` makes. */
const COMMITS = 20;

const hasStrace =
  process.platform === 'linux' && spawnSync('strace', ['-V'], { stdio: 'ignore' }).status === 0;

/*
 * What no `kill -9` can show: that each commit is on disk before its promise
 * resolves. 20 commits cost 2 fsyncs under `synchronous=NORMAL`.
 */
test.skipIf(!hasStrace)('every commit is fsynced before it is acknowledged', () => {
  const directory = tempDir();
  const trace = join(directory, 'trace');
  const { status } = spawnSync(
    'strace',
    [
      ...['-f', '-y', '-s', '40', '-o', trace, '-e', 'trace=write,pwrite64,fsync,fdatasync'],
      ...[process.execPath, SCRIPT, join(directory, 'data'), 'commit'],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  expect(status).toBe(0);
  // Each line: the log written, the log synced, or an acknowledgement printed.
  const steps = readFileSync(trace, 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (/ (fsync|fdatasync)\(\d+<[^>]*hookrelay\.db-wal>/.test(line)) return ['sync'];
      if (/ pwrite64\(\d+<[^>]*hookrelay\.db-wal>/.test(line)) return ['write'];
      return / write\(1<.*committed/.test(line) ? ['acknowledge'] : [];
    });
  const first = steps.indexOf('acknowledge');
  const between = steps
    .slice(first + 1, steps.lastIndexOf('acknowledge') + 1)
    .filter((step, i, all) => step !== all[i - 1]);
  expect(between).toEqual(
    Array(COMMITS - 1)
      .fill(['write', 'sync', 'acknowledge'])
      .flat(),
  );
  expect(steps.lastIndexOf('sync', first)).toBeGreaterThan(steps.lastIndexOf('write', first));
});
