import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { JOURNAL_SIZE_LIMIT_BYTES } from '../../../../src/store/sqlite/files/database.ts';
import { until } from '../../../fixtures/until.ts';
import { World } from '../../conformance/world.ts';
import { openStoreIn, tempDir } from '../temp-store.ts';

/** As `reader.ts` has it. */
const MAX_CONCURRENT = 8;
const MIB = 1024 ** 2;
const PAGE = { offset: 0, limit: 10 };

test('searches under way let a long log be begun anew, and find all', async () => {
  const dataDir = join(tempDir(), 'data');
  const store = await openStoreIn(dataDir);
  onTestFinished(() => store.close());
  const world = new World({ store, reopen: async () => store, close: () => store.close() });
  const searched = await world.endpoint();
  const uploads = await world.endpoint();
  const rows = 120;
  const old = 30;
  // Found at its end only, and by no index: a search takes its time.
  const body = `${'a'.repeat(MIB)}b`;
  for (let i = 0; i < rows; i++) {
    await world.event(searched, { body, receivedAt: world.now - (i % (rows / old) === 0 ? 1 : 0) });
  }
  const upload = (bytes: number) => world.event(uploads, { body: randomBytes(bytes) });
  const isLogLong = () =>
    statSync(join(dataDir, 'hookrelay.db-wal')).size > JOURNAL_SIZE_LIMIT_BYTES;

  // Another's snapshot keeps it from being begun anew.
  const other = new Database(join(dataDir, 'hookrelay.db'), { readonly: true });
  onTestFinished(() => void other.close());
  other.exec('BEGIN');
  other.prepare('SELECT count(*) FROM events').get();
  while (!isLogLong()) await upload(MIB);

  let ended = 0;
  const controller = new AbortController();
  const search = (signal?: AbortSignal) =>
    store.events
      .list({ endpointKeys: [searched.key] }, { q: 'ab' }, PAGE, signal)
      .finally(() => ended++);
  const kept = [search(), search()];
  const abandoned = Array.from({ length: MAX_CONCURRENT - kept.length }, () =>
    search(controller.signal).catch((error) => error),
  );
  while ((await store.upkeep.retireSlice({ before: world.now }, rows)).more);
  other.exec('ROLLBACK');
  await until('the log is begun anew', async () => {
    await upload(MIB / 64);
    return !isLogLong();
  });
  expect(ended).toBe(0);

  const reason = new Error('the caller left');
  controller.abort(reason);
  expect(await Promise.all(abandoned)).toEqual(abandoned.map(() => reason));
  for (const { events, total } of await Promise.all(kept)) {
    expect(events).toHaveLength(PAGE.limit);
    // With those that were looked at before they were deleted.
    expect(total).toBeGreaterThanOrEqual(rows - old);
    expect(total).toBeLessThanOrEqual(rows);
  }
});
