import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Endpoint } from '../../../src/core/model.ts';
import { MANY } from '../../fixtures/many.ts';
import { makeMigratedDatabase } from '../../fixtures/postgres-database.ts';
import { until } from '../../fixtures/until.ts';
import { verdictOf } from '../../fixtures/verdict.ts';
import { newToken } from '../conformance/account-rows.ts';
import { FINISHED, halfDelivered } from '../conformance/half-delivered.ts';
import { learnsFromTheOldest } from '../conformance/types.ts';
import { only, settingsPatch, World } from '../conformance/world.ts';
import {
  TO_SCHEMA_8,
  TO_SCHEMA_9,
  TO_SCHEMA_10,
  TO_SCHEMA_11,
  TO_SCHEMA_12,
  TO_SCHEMA_13,
} from './downgrade.ts';
import { openNode } from './temp-store.ts';

const PROGRESS = 'SELECT open, succeeded, dead, failed FROM events WHERE open > 0 ORDER BY seq';
const TO_SCHEMA_1 = `
  ${TO_SCHEMA_8};
  DROP TABLE destination_rules, filtered_events, audit_entries, api_token_endpoints;
  ALTER TABLE api_tokens DROP COLUMN scopes, DROP COLUMN expires_at, DROP COLUMN is_limited;
  ALTER TABLE destinations DROP COLUMN settings, DROP COLUMN version, DROP COLUMN rule_version;
  ALTER TABLE endpoints DROP COLUMN settings_version, DROP COLUMN filters;
  ALTER TABLE attempts DROP COLUMN response_headers, DROP COLUMN destination_url;
  ALTER TABLE replay_jobs DROP COLUMN user_id, DROP COLUMN turn;
  ALTER TABLE events DROP COLUMN open, DROP COLUMN succeeded, DROP COLUMN dead, DROP COLUMN failed;
  UPDATE meta SET value = '1' WHERE name = 'schema'`;

interface Upgrade {
  world: World;
  byHand(sql: string): Promise<Record<string, unknown>[]>;
  /** Closes the node, runs `sql`, and opens the database again, which upgrades it. */
  downgraded(sql: string): Promise<void>;
}

async function upgrade(): Promise<Upgrade> {
  const database = await makeMigratedDatabase();
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
  onTestFinished(() => node.close());
  const world = new World({
    store: node,
    async reopen() {
      node = await openNode(database.url);
      return node;
    },
    close: () => node.close(),
  });
  return {
    world,
    byHand,
    async downgraded(sql) {
      await node.close();
      await byHand(sql);
      await world.reopen();
    },
  };
}

test('a database of schema 1: open events end in the right status, tokens keep every right', async () => {
  const { world, byHand, downgraded } = await upgrade();
  const { finish } = await halfDelivered(world);
  const { id: userId } = await world.user();
  const token = newToken(userId);
  await world.store.apiTokens.create(token, MANY);
  const before = await byHand(PROGRESS);
  expect(before).toHaveLength(5);
  await downgraded(TO_SCHEMA_1);

  expect(await byHand(PROGRESS)).toEqual(before);
  expect(await finish()).toEqual(FINISHED);
  expect(await world.store.apiTokens.use(token.hash, 9)).toMatchObject({
    token: { scopes: ['read', 'write'], endpoints: null, expiresAt: null },
  });
});

test('a database of schema 8: deliveries move to their table, keep their claims and go on', async () => {
  const { world, byHand, downgraded } = await upgrade();
  const { events, finish } = await halfDelivered(world);
  // One more event, under way when the database is upgraded, in its second round.
  const endpoint = await world.endpoint();
  await world.destination(endpoint);
  const underWay = await world.event(endpoint);
  const captured = await world.claimDue();
  await world.settle(only(captured.filter(({ eventSeq }) => eventSeq === underWay.seq)), 'dead');
  const replayed = await world.store.replays.replay(
    endpoint.key,
    underWay.seq,
    world.now,
    world.terms(),
  );
  const claim = only(replayed?.claimed ?? []);
  const read = async () => ({
    deliveries: await Promise.all(
      [...events, underWay].map(({ seq }) => world.store.events.deliveries(seq, world.now)),
    ),
    listed: await byHand('SELECT * FROM failed_events ORDER BY 1, 2, 3'),
    open: await byHand('SELECT * FROM open_deliveries ORDER BY id'),
    history: await byHand('SELECT * FROM deliveries ORDER BY id'),
    attempts: (await world.listed(endpoint)).map((event) => event.attempts),
    stats: await world.store.stats(world.now).then(({ pending, due }) => ({ pending, due })),
  });
  const before = await read();
  expect(new Set(before.history.map(({ state }) => state))).toEqual(new Set([1, 2, 3]));
  expect(before.open.length).toBeGreaterThan(5);
  expect(before.listed.length).toBeGreaterThan(0);
  await downgraded(TO_SCHEMA_8);

  expect(await read()).toEqual(before);
  expect(await unlisted(byHand)).toEqual([]);
  expect(await world.settle(claim, 'succeeded')).toMatchObject({
    eventStatus: 'delivered',
    attempt: { number: 1, trigger: 'replay' },
  });
  expect(await finish()).toEqual(FINISHED);
  expect(await byHand('SELECT * FROM open_deliveries')).toEqual([]);
});

test('a database of schema 9: a running job goes on from the oldest event, deliveries too', async () => {
  const { world, byHand, downgraded } = await upgrade();
  const { finish } = await halfDelivered(world);
  const endpoint = await world.endpoint();
  await world.destination(endpoint);
  const captured = await world.events(endpoint, [{}, {}, {}, {}]);
  for (const claim of await world.claimDue()) {
    if (claim.endpointKey === endpoint.key) await world.settle(claim, 'dead');
  }
  const [first, , third] = captured;
  if (!first || !third) throw new Error('four were captured');
  await world.store.replays.replay(endpoint.key, first.seq, world.now, world.terms());
  const job = { id: 'job_before', endpointKey: endpoint.key, filter: {}, now: world.now };
  await world.store.replays.startJob(job, MANY);
  // Jobs of schema 9 go from the newest down. This one has replayed the newest event.
  await byHand(`UPDATE replay_jobs SET upper_seq = ${third.seq}`);
  const open = () => byHand('SELECT * FROM open_deliveries ORDER BY id');
  const before = await open();
  expect(before.length).toBeGreaterThan(1);
  await downgraded(TO_SCHEMA_9);

  const { store } = world;
  expect(await open()).toEqual(before);
  const shown = { id: job.id, matching: 0, createdAt: job.now, dead: 0 };
  const progress = () => store.replays.job(endpoint.key, job.id);
  expect(await progress()).toEqual({ ...shown, state: 'running', queued: 0, delivered: 0 });
  while (await store.replays.workOff(world.now, { events: 2, deliveries: MANY }));
  expect(await progress()).toEqual({ ...shown, state: 'running', queued: 3, delivered: 0 });
  expect(await finish()).toEqual(FINISHED);
  expect(await progress()).toEqual({ ...shown, state: 'done', queued: 3, delivered: 3 });
  const statuses = await Promise.all(captured.map((event) => world.status(endpoint, event)));
  expect(statuses).toEqual(['delivered', 'delivered', 'delivered', 'dead_letter']);
});

test('a database of schema 10: events have no verification, endpoints no source and no keys', async () => {
  const { world, downgraded } = await upgrade();
  const { events, finish } = await halfDelivered(world);
  const endpoint = await world.endpoint();
  const event = await world.event(endpoint);
  const read = () =>
    Promise.all(events.map(({ seq }) => world.store.events.deliveries(seq, world.now)));
  const before = await read();
  await downgraded(TO_SCHEMA_10);

  expect(await read()).toEqual(before);
  expect(await world.store.endpoints.find(endpoint.userId, endpoint.id)).toEqual(endpoint);
  expect(await world.listed(endpoint, { verification: 'unverified', duplicates: 'hide' })).toEqual([
    event,
  ]);
  const { version } = await proved(world, endpoint);
  const patch = { verdict: verdictOf({ version, once: { key: 'key', body: 'body' } }) };
  const [first, second] = await world.events(endpoint, [patch, patch]);
  expect([first?.duplicateOf, second?.duplicateOf]).toEqual([null, first?.id]);
  expect(await finish()).toEqual(FINISHED);
});

test('a database of schema 11: what happened before is no news', async () => {
  const { world, downgraded } = await upgrade();
  const endpoint = await world.endpoint();
  await world.destination(endpoint);
  const { version } = await proved(world, endpoint);
  const conflict = async (body: string) => {
    const verdict = verdictOf({ version, once: { key: 'key', body } });
    return only(await world.events(endpoint, [{ verdict }]));
  };
  const fail = async () => {
    for (const claim of await world.claimDue()) await world.settle(claim, { retryInMs: 1 });
    world.now += 2;
  };
  await conflict('a');
  await conflict('b');
  await fail();
  const found = await world.store.endpoints.find(endpoint.userId, endpoint.id);
  await downgraded(TO_SCHEMA_11);

  const { issues, endpoints } = world.store;
  expect(await endpoints.find(endpoint.userId, endpoint.id)).toEqual(found);
  const attempts = await issues.cursor('attempts');
  const conflicts = await issues.cursor('conflicts');
  expect(await issues.attemptFacts(0, 10)).toMatchObject({ scannedTo: attempts });
  expect(await issues.conflictFacts(0, 10)).toMatchObject({ scannedTo: conflicts });
  const [news] = [await conflict('c'), await fail()];
  expect((await issues.conflictFacts(conflicts, 10)).facts).toMatchObject([{ eventId: news.id }]);
  expect((await issues.attemptFacts(attempts, 10)).facts).toMatchObject([{ code: 'http_500' }]);
});

test('a database of schema 12: its types are learned from the oldest event on', async () => {
  const { world, downgraded } = await upgrade();
  const endpoint = await world.endpoint();
  const events = await world.events(endpoint, [{ body: '{"a":1}' }, { body: '{}' }]);
  await downgraded(TO_SCHEMA_12);

  await learnsFromTheOldest(world, endpoint, events);
});

test('a database of schema 13: the texts of each endpoint are counted', async () => {
  const { world, byHand, downgraded } = await upgrade();
  const endpoint = await world.endpoint();
  await world.events(endpoint, [{ body: 'a needle' }, { body: 'a needle' }]);
  const texts = () => byHand('SELECT 1 FROM event_texts');
  await until('both are indexed', async () => (await texts()).length === 2);
  const counts = 'SELECT endpoint_key, sum(count)::int AS count FROM event_text_counts GROUP BY 1';
  const before = await byHand(counts);
  await downgraded(TO_SCHEMA_13);

  expect(before).toEqual([{ endpoint_key: String(endpoint.key), count: 2 }]);
  expect(await byHand(counts)).toEqual(before);
});

/** Lets an endpoint deliver each key once. */
async function proved(world: World, endpoint: Endpoint): Promise<{ version: number }> {
  const dedupe = { by: 'provider', since: 'since' } as const;
  await world.store.endpoints.update(endpoint.key, settingsPatch({ dedupe }));
  return { version: (await world.judgeBy(endpoint))?.version ?? 0 };
}

/** Events whose status disagrees with `failed_events`. */
const unlisted = (byHand: Upgrade['byHand']) =>
  byHand(`
    SELECT * FROM (SELECT endpoint_key, status, seq FROM events WHERE status IN (2, 3)) e
    FULL JOIN failed_events f USING (endpoint_key, status, seq)
    WHERE e.seq IS NULL OR f.seq IS NULL`);
