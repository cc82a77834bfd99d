import type { Database } from 'better-sqlite3';
import type { Endpoint } from '../../../src/core/model.ts';
import type { World } from '../conformance/world.ts';
import { readsOn } from './noted-plans.ts';

/** Runs every operation on types once that the store's thread makes. */
export async function exerciseTypes(world: World, { key }: Endpoint): Promise<void> {
  const { types } = world.store;
  const type = { endpointKey: key, type: 'a', provider: null, shape: null };
  const added = [{ ...type, count: 1, firstAt: 1, lastAt: 1 }];
  await types.save(
    { cursor: { before: await types.learnedTo(), after: 0 }, added, changed: [] },
    9,
  );
  const found = await types.find(key, 'a');
  await types.save({ added: [], changed: found ? [found] : [] }, 9);
}

/** Runs every read of types that the reader's thread makes. */
export async function exerciseTypeReads(db: Database): Promise<void> {
  db.exec(`
    INSERT OR IGNORE INTO users VALUES ('usr_t', 't@example.com', '', 'free', 0);
    INSERT INTO event_contents (seq, endpoint_key, query, headers, body)
      VALUES (79, 79, '', '[]', x'7b7d');
    INSERT INTO endpoints (key, id, user_id, created_at) VALUES (79, 'ep_t', 'usr_t', 0);
    INSERT INTO events (endpoint_key, seq, id, status, round, method, path, size, source_ip,
        received_at)
      VALUES (79, 79, 'evt_t', 0, 1, 'POST', '', 2, '', 1)`);
  const { types } = readsOn(db);
  await types.list(79, { offset: 0, limit: 10 });
  await types.findMany([{ endpointKey: 79, type: 'a' }]);
  await types.toLearn(0, { most: 10, bytes: 10, largest: 10 });
  await types.after(0, 10);
  await types.gone([79]);
}
