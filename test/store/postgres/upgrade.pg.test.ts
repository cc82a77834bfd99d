import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { MANY } from '../../fixtures/many.ts';
import { makeDatabase } from '../../fixtures/postgres-database.ts';
import { newToken } from '../conformance/account-rows.ts';
import { FINISHED, halfDelivered } from '../conformance/half-delivered.ts';
import { World } from '../conformance/world.ts';
import { openNode } from './temp-store.ts';

const PROGRESS = 'SELECT open, succeeded, dead, failed FROM events WHERE open > 0 ORDER BY seq';
const TO_SCHEMA_1 = `
  DROP TABLE destination_rules, filtered_events, audit_entries, api_token_endpoints;
  ALTER TABLE api_tokens DROP COLUMN scopes, DROP COLUMN expires_at, DROP COLUMN is_limited;
  ALTER TABLE destinations DROP COLUMN settings, DROP COLUMN version, DROP COLUMN rule_version;
  ALTER TABLE endpoints DROP COLUMN settings_version, DROP COLUMN filters;
  ALTER TABLE attempts DROP COLUMN response_headers, DROP COLUMN destination_url;
  ALTER TABLE replay_jobs DROP COLUMN user_id, DROP COLUMN turn;
  ALTER TABLE events DROP COLUMN open, DROP COLUMN succeeded, DROP COLUMN dead, DROP COLUMN failed;
  UPDATE meta SET value = '1' WHERE name = 'schema'`;

test('a database of schema 1: open events end in the right status, tokens keep every right', async () => {
  const database = await makeDatabase();
  onTestFinished(() => database.drop());
  const byHand = async (sql: string) => {
    const client = new pg.Client(database.url);
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };
  let node = await openNode(database.url);
  const world = new World({
    store: node,
    async reopen() {
      node = await openNode(database.url);
      return node;
    },
    close: () => node.close(),
  });
  const { finish } = await halfDelivered(world);
  const { id: userId } = await world.user();
  const token = newToken(userId);
  await node.apiTokens.create(token, MANY);
  await node.close();
  const before = await byHand(PROGRESS);
  expect(before).toHaveLength(5);
  await byHand(TO_SCHEMA_1);

  await world.reopen();
  onTestFinished(() => world.close());
  expect(await byHand(PROGRESS)).toEqual(before);
  expect(await finish()).toEqual(FINISHED);
  expect(await world.store.apiTokens.use(token.hash, 9)).toMatchObject({
    token: { scopes: ['read', 'write'], endpoints: null, expiresAt: null },
  });
});
