import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { newestSchema } from '../../../src/store/postgres/connection/migrations.ts';
import type { PostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { tempDatabase } from '../../fixtures/postgres-database.ts';
import { openNodes } from '../../store/postgres/nodes.ts';
import { strictLog } from '../../store/postgres/temp-store.ts';
import { DataDir } from '../local-server.ts';

test('restore without a file completes a pg_restore', async () => {
  const warnings: string[] = [];
  const log = { ...strictLog, warn: (text: string) => void warnings.push(text) };
  const { database, stores, world } = await openNodes(1, log);
  const node = stores[0] as PostgresStore;
  const endpoint = await world.endpoint();
  await world.destination(endpoint);
  await world.events(endpoint, [{}, {}]);
  const { history } = node;
  const last = await node.live.lastSequences();
  await database.query(
    `INSERT INTO sessions (id, user_id, generation, created_at, last_used_at)
     SELECT 'ses_1', id, 1, 0, 0 FROM users LIMIT 1`,
  );

  const data = new DataDir();
  const env = {
    HOOKRELAY_DATABASE: database.url,
    HOOKRELAY_SECRET_KEY: randomBytes(32).toString('hex'),
  };
  const { code, stdout, stderr } = await data.run(['restore', '--json'], undefined, env);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(JSON.parse(stdout)).toMatchObject({
    events: 2,
    open_deliveries: 2,
    schema: newestSchema(),
  });
  expect(stderr).toContain('The backup has 2 open deliveries');
  expect(await database.query('SELECT 1 FROM sessions')).toEqual([]);
  // A running node notices it, and streams start over.
  expect(await node.live.includes(history, last)).toBe(false);
  expect(node.history).not.toBe(history);
  expect(warnings).toEqual(['the database was restored or rolled back: live streams start over']);
  expect(await node.live.includes(node.history, last)).toBe(true);
});

test('restore with a file says how PostgreSQL restores, and needs a file for SQLite', async () => {
  const { url } = await tempDatabase();
  const data = new DataDir();
  const refused = await data.run(['restore', import.meta.filename], undefined, {
    HOOKRELAY_DATABASE: url,
  });
  expect(refused.code).toBe(1);
  const usage = await data.run(['restore']);
  expect(usage).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('hookrelay restore FILE'),
  });
});
