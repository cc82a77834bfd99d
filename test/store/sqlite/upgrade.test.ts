import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { NOT_CHECKED } from '../../../src/core/proof/verification.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../src/core/settings/destination-settings.ts';
import type { EventFilter } from '../../../src/store/contract/events.ts';
import { databaseFile } from '../../../src/store/sqlite/files/data-files.ts';
import { MANY } from '../../fixtures/many.ts';
import { newToken } from '../conformance/account-rows.ts';
import { FINISHED, halfDelivered } from '../conformance/half-delivered.ts';
import { BY_ID, STRIPE } from '../conformance/proof.ts';
import { learnsFromTheOldest } from '../conformance/types.ts';
import { type Outcome, World } from '../conformance/world.ts';
import {
  downgradeToSchema2,
  downgradeToSchema9,
  downgradeToSchema10,
  downgradeToSchema11,
  downgradeToSchema12,
  downgradeToSchema17,
} from './downgrade.ts';
import { openStoreIn, tempDir } from './temp-store.ts';

const PROGRESS = 'SELECT open, succeeded, dead, failed FROM events WHERE open > 0 ORDER BY seq';

/** A world whose database can be changed by hand while its store is closed. */
async function worldByHand() {
  const dataDir = join(tempDir(), 'data');
  const file = databaseFile(dataDir);
  const byHand = <T>(run: (db: Database.Database) => T): T => {
    const db = new Database(file);
    try {
      return run(db);
    } finally {
      db.close();
    }
  };
  const opened = await openStoreIn(dataDir);
  let store = opened;
  const world = new World({
    store: opened,
    async reopen() {
      store = await openStoreIn(dataDir);
      return store;
    },
    close: () => store.close(),
  });
  onTestFinished(() => world.close());
  return { world, opened, byHand };
}

test('a database of schema 2: open events end in the right status, tokens keep every right', async () => {
  const { world, opened, byHand } = await worldByHand();
  const { finish } = await halfDelivered(world);
  const { id: userId } = await world.user();
  const token = newToken(userId);
  await opened.apiTokens.create(token, MANY);
  await opened.close();
  const before = byHand((db) => db.prepare(PROGRESS).all());
  expect(before).toHaveLength(5);
  byHand(downgradeToSchema2);

  await world.reopen();
  expect(byHand((db) => db.prepare(PROGRESS).all())).toEqual(before);
  expect(await finish()).toEqual(FINISHED);
  expect(await world.store.apiTokens.use(token.hash, 9)).toMatchObject({
    token: { scopes: ['read', 'write'], endpoints: null, expiresAt: null },
  });
});

test('a database of schema 9: a running job starts at the oldest event, open deliveries go on', async () => {
  const { world, opened, byHand } = await worldByHand();
  const { events, finish } = await halfDelivered(world);
  const endpoint = await world.endpoint();
  await world.destination(endpoint);
  const captured = await world.events(endpoint, [{}, {}, {}]);
  for (const claim of await world.claimDue()) {
    if (claim.endpointKey === endpoint.key) await world.settle(claim, 'dead');
  }
  const [replayed] = captured;
  await opened.replays.replay(endpoint.key, replayed?.seq ?? 0, world.now, world.terms());
  const before = await opened.events.deliveries(replayed?.seq ?? 0, world.now);
  const job = { id: 'job_before', endpointKey: endpoint.key, filter: {}, now: world.now };
  await opened.replays.startJob(job, MANY);
  const all = await Promise.all(events.map(({ seq }) => opened.events.deliveries(seq, world.now)));
  await opened.close();
  byHand(downgradeToSchema9);

  await world.reopen();
  const { store } = world;
  expect(
    await Promise.all(events.map(({ seq }) => store.events.deliveries(seq, world.now))),
  ).toEqual(all);
  expect(await store.events.deliveries(replayed?.seq ?? 0, world.now)).toEqual(before);
  // Ids of replays and of captures are found.
  for (const { id } of [...before, ...(all[0] ?? [])]) {
    expect(await store.deliveries.find(endpoint.userId, id, world.now)).toEqual(
      before.some((one) => one.id === id) ? expect.objectContaining({ endpoint }) : null,
    );
  }
  expect(await store.replays.job(endpoint.key, job.id)).toMatchObject({
    state: 'running',
    queued: 0,
  });
  while (await store.replays.workOff(world.now, { events: 2, deliveries: MANY }));
  expect(await store.replays.job(endpoint.key, job.id)).toMatchObject({
    state: 'running',
    queued: 3,
  });
  expect(await finish()).toEqual(FINISHED);
  expect(await store.replays.job(endpoint.key, job.id)).toMatchObject({
    state: 'done',
    delivered: 3,
  });
  for (const event of captured) expect(await world.status(endpoint, event)).toBe('delivered');
});

test('a database of schema 10: its events were not checked, and a source judges the next ones', async () => {
  const { world, opened, byHand } = await worldByHand();
  const endpoint = await world.endpoint();
  await world.destination(endpoint);
  const before = await world.events(endpoint, [{}, { body: 'needle', provider: 'stripe' }]);
  await opened.close();
  byHand(downgradeToSchema10);

  await world.reopen();
  const { store } = world;
  const listed = async (filter: EventFilter) => (await world.listed(endpoint, filter)).toReversed();
  expect(await listed({})).toEqual(before);
  expect(await listed({ verification: 'unverified', duplicates: 'hide' })).toEqual(before);
  expect(await store.endpoints.find(endpoint.userId, endpoint.id)).toEqual(endpoint);
  expect(await store.endpoints.guesses([endpoint.key])).toEqual(
    new Map([[endpoint.key, 'stripe']]),
  );
  expect(await world.claimDue()).toHaveLength(2);
  await store.endpoints.update(endpoint.key, { source: { ...STRIPE, enforce: true } });
  const failed = { ...NOT_CHECKED, state: 'failed', reason: 'signature_missing' } as const;
  const verdict = await world.verdict(endpoint, { verification: failed, refused: { keep: true } });
  const { results } = await world.capture(endpoint, [{ verdict }]);
  expect(results).toEqual([{ stored: false, reason: 'signature_invalid' }]);
  expect((await store.rejected.list(endpoint.key, { offset: 0, limit: 1 })).total).toBe(1);
});

test('a database of schema 11: what happened before is no issue, what happens next is', async () => {
  const { world, opened, byHand } = await worldByHand();
  const endpoint = await world.endpoint({ dedupe: BY_ID });
  await world.destination(endpoint);
  const verdict = await world.verdict(endpoint);
  const once = (body: string) => ({ body, verdict: { ...verdict, once: { key: 'k', body } } });
  await world.events(endpoint, [once('a'), once('b')]);
  const [claim] = await world.claimDue();
  if (claim) await world.settle(claim, { retryInMs: 1 });
  expect((await opened.issues.attemptFacts(0, 10)).facts).toHaveLength(1);
  expect((await opened.issues.conflictFacts(0, 10)).facts).toHaveLength(1);
  await opened.close();
  byHand(downgradeToSchema11);

  await world.reopen();
  const { issues, endpoints } = world.store;
  const news = async () => [
    (await issues.attemptFacts(await issues.cursor('attempts'), 10)).facts.length,
    (await issues.conflictFacts(await issues.cursor('conflicts'), 10)).facts.length,
  ];
  expect(await news()).toEqual([0, 0]);
  expect(await issues.expectations(0, 10)).toEqual([]);
  expect(await endpoints.find(endpoint.userId, endpoint.id)).toEqual(endpoint);
  world.now += 1;
  const [again] = await world.claimDue();
  if (again) await world.settle(again, 'dead');
  await world.events(endpoint, [once('c')]);
  expect(await news()).toEqual([1, 1]);
});

test('a database of schema 12: its types are learned from the oldest event on', async () => {
  const { world, opened, byHand } = await worldByHand();
  const endpoint = await world.endpoint();
  const events = await world.events(endpoint, [{ body: '{"a":1}' }, { body: '{}' }]);
  await opened.close();
  byHand(downgradeToSchema12);

  await world.reopen();
  await learnsFromTheOldest(world, endpoint, events);
});

test('a database of schema 17: deliveries and attempts are as they were, and new ones join them', async () => {
  const { world, opened, byHand } = await worldByHand();
  const endpoint = await world.endpoint();
  await world.destination(endpoint);
  const ordered = { ...DEFAULT_DESTINATION_SETTINGS, order_by: 'body.id' };
  await world.destination(endpoint, { settings: ordered });
  const verdict = await world.verdict(endpoint, { orderKeys: [] });
  const events = await world.events(endpoint, Array(6).fill({ verdict }));
  const outcomes: Outcome[] = ['succeeded', 'dead', { retryInMs: 1 }];
  for (const [i, claim] of (await world.claimDue()).entries())
    await world.settle(claim, outcomes[i % 3] as Outcome);
  for (const event of [events[0], events[2]]) {
    const terms = world.terms({ limit: 1 });
    const replayed = await opened.replays.replay(endpoint.key, event?.seq ?? 0, world.now, terms);
    for (const claim of replayed?.claimed ?? []) await world.settle(claim, 'succeeded');
  }
  const shown = async () => {
    const { store, now } = world;
    const window = { offset: 0, limit: 100, now };
    const states = ['pending', 'succeeded', 'dead', 'cancelled'] as const;
    const seqs = events.map(({ seq }) => seq);
    const listed = await store.deliveries.list(endpoint.key, {}, window);
    const attempts = await Promise.all(seqs.map((seq) => store.events.attempts(seq)));
    return {
      ...{ listed, attempts, events: await world.listed(endpoint) },
      byState: await Promise.all(
        states.map((state) => store.deliveries.list(endpoint.key, { state }, window)),
      ),
      deliveries: await Promise.all(seqs.map((seq) => store.events.deliveries(seq, now))),
      found: await Promise.all(
        listed.deliveries.map(({ id }) => store.deliveries.find(endpoint.userId, id, now)),
      ),
      places: await Promise.all(
        attempts.flat().map(({ id }) => store.deliveries.findAttempt(endpoint.userId, id)),
      ),
    };
  };
  const before = await shown();
  expect(before.places).not.toContain(null);
  expect(before.byState.map(({ total }) => total)).not.toContain(0);
  await opened.close();
  byHand(downgradeToSchema17);

  await world.reopen();
  expect(await shown()).toEqual(before);
  world.now += 1;
  for (const claim of await world.claimDue()) await world.settle(claim, 'succeeded');
  const after = await shown();
  expect(after.byState[0]?.total).toBe(0);
  expect(after.listed.total).toBe(before.listed.total);
  const [dead] = before.byState[2]?.deliveries ?? [];
  expect(await world.store.deliveries.retry(dead?.id ?? '', world.now)).toMatchObject({});
});
