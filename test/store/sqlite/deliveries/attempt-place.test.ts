import { expect, test } from 'vitest';
import { newId } from '../../../../src/core/ids.ts';
import { HOUR_MS, MINUTE_MS } from '../../../../src/core/text/duration.ts';
import { attemptPlace } from '../../../../src/store/sqlite/deliveries/attempt-place.ts';
import { START } from '../../conformance/world.ts';
import { notingReader, resultOf } from '../noted-plans.ts';

const SECOND_MS = 1000;
/** Enough that one read has several steps. */
const MANY_ATTEMPTS = 12_000;

test('an attempt is found by its id, however long it took', () => {
  const { db } = notingReader();
  const insert = db.prepare(`
    INSERT INTO attempts (id, event_seq, endpoint_key, destination_key, delivery_id, trigger,
        number, response_truncated, duration_ms, attempted_at)
      VALUES (?, ?, 1, 1, 'dlv_1', 0, 1, 0, ?, ?)`);
  const ids: string[] = [];
  const record = (startedAt: number, durationMs: number) => {
    ids.push(newId('att', startedAt));
    insert.run(ids.at(-1), ids.length, durationMs, startedAt);
  };
  db.transaction(() => {
    for (let n = 0; n < MANY_ATTEMPTS; n++) {
      const endedAt = START + n * SECOND_MS;
      const durationMs = [5, 20 * SECOND_MS, 10 * MINUTE_MS, HOUR_MS][n % 400] ?? 1;
      record(endedAt - durationMs, durationMs);
    }
  })();
  for (const n of [0, 1, 2, 3, 5999, 6000, 6001, 6002, 6003, MANY_ATTEMPTS - 1]) {
    const place = { endpointKey: 1, eventSeq: n + 1 };
    expect(resultOf(attemptPlace(db, ids[n] as string))).toEqual(place);
  }
  const unknown = [START - 1, START, START + 6000 * SECOND_MS, START + 9e9].map((at) =>
    newId('att', at),
  );
  for (const id of [...unknown, 'att_1', '', 'evt_01kqj3v5e8f0nsv4y8ffa3a8cs']) {
    expect(resultOf(attemptPlace(db, id))).toBeNull();
  }
});
