import { describe, expect, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import type { Endpoint } from '../../../src/core/model.ts';
import { NOT_CHECKED } from '../../../src/core/proof/verification.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../src/core/settings/destination-settings.ts';
import type { EventFilter } from '../../../src/store/contract/events.ts';
import type { Scope } from '../../../src/store/contract/scope.ts';
import { statusCode } from '../../../src/store/shared/codes.ts';
import { guessesOf } from '../../../src/store/sqlite/endpoints/guesses.ts';
import {
  countEvents,
  matchingSeqs,
  pageOfEvents,
} from '../../../src/store/sqlite/events/event-query.ts';
import { newestEvents } from '../../../src/store/sqlite/events/newest-events.ts';
import { classifyRows, tryRules } from '../../../src/store/sqlite/judging/judged-events.ts';
import {
  attemptsAfter,
  eventsAfter,
  sequencesAt,
} from '../../../src/store/sqlite/live/live-query.ts';
import { readStats } from '../../../src/store/sqlite/overview/stats.ts';
import { findEvents } from '../../../src/store/sqlite/search/find-events.ts';
import { listEvents } from '../../../src/store/sqlite/search/list-events.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { MANY } from '../../fixtures/many.ts';
import { BY_ID, STRIPE } from '../conformance/proof.ts';
import { CLAIM_NOTHING, settingsPatch, type World } from '../conformance/world.ts';
import { exerciseIssueReads, exerciseIssues } from './exercise-issues.ts';
import { exerciseTypeReads, exerciseTypes } from './exercise-types.ts';
import { GROWING, notingReader, notingStore, resultOf, scansIn, sortsIn } from './noted-plans.ts';

/*
 * SQLite's plans for the store's own statements, which are recorded when they are
 * prepared. A full scan of a table, or a sort of a page after the read, is fine with ten
 * events and an outage with ten million.
 */

const FAILED = { ...NOT_CHECKED, state: 'failed' } as const;

/** Runs every operation once. */
async function exercise(world: World): Promise<void> {
  const { accounts, apiTokens, audit, endpoints, destinations } = world.store;
  const { events, replays, live, queue, upkeep } = world.store;
  const endpoint = await world.endpoint();
  const destination = await world.destination(endpoint);
  await endpoints.list(endpoint.userId);
  await endpoints.find(endpoint.userId, endpoint.id);
  await endpoints.findByPublicToken(endpoint.publicToken);
  await destinations.list(endpoint.key);
  await destinations.get(endpoint.key, destination.id);
  await destinations.update(
    endpoint.key,
    destination.id,
    { settings: { name: 'b' } },
    { at: world.now, by: null },
  );
  await endpoints.update(endpoint.key, settingsPatch({ name: 'b' }));
  const event = await world.event(endpoint);
  await queue.nextDueAt(world.now, new Set());
  const claims = await world.claimDue();
  await queue.begin(claims, world.now, world.now);
  await queue.settle(
    claims.map((claim) => world.settlement(claim, { retryInMs: 0 })),
    BREAKER,
  );
  const { deliveries } = world.store;
  const [delivery] = await events.deliveries(event.seq, world.now);
  await deliveries.list(endpoint.key, {}, { offset: 0, limit: 10, now: world.now });
  await deliveries.find(endpoint.userId, delivery?.id ?? '', world.now);
  await deliveries.retry(delivery?.id ?? '', world.now);
  await deliveries.findAttempt(endpoint.userId, 'att_1');
  await destinations.conditions(endpoint.key, null);
  await destinations.probe(endpoint.key, destination.id, world.now);
  await upkeep.expireHeldSlice(world.now, 10);
  await events.find(endpoint.key, event.id);
  await events.findOwned(endpoint.userId, event.id);
  await events.content(event.seq);
  await events.deliveries(event.seq, world.now);
  await events.attempts(event.seq);
  for (const scope of [{ userId: endpoint.userId }, { endpointKeys: [endpoint.key] }]) {
    await live.eventsAfter(scope, 0, 10);
    await live.attemptsAfter(scope, 0, 10);
  }
  await live.lastSequences();
  await replays.replay(endpoint.key, event.seq, world.now, CLAIM_NOTHING);
  const job = { id: newId('job', 1), endpointKey: endpoint.key, filter: {}, now: 1 };
  await replays.startJob(job, MANY);
  await replays.workOff(world.now, { events: 10, deliveries: 100 });
  await replays.jobs(endpoint.key, { offset: 0, limit: 10 });
  await replays.job(endpoint.key, job.id);
  await replays.cancelJob(endpoint.key, job.id);
  const named = { to: 'destinations', ids: [destination.id] } as const;
  await replays.replay(endpoint.key, event.seq, world.now, CLAIM_NOTHING, named);
  const once = { to: 'url', url: 'https://once.example.com', id: 'dst_once', mostUrls: 9 } as const;
  await replays.replay(endpoint.key, event.seq, world.now, CLAIM_NOTHING, once);
  const settings = { ...DEFAULT_DESTINATION_SETTINGS, filter: 'method=PUT' };
  const filtering = await world.destination(endpoint, { settings });
  await destinations.update(
    endpoint.key,
    filtering.id,
    { settings: { filter: 'a' } },
    { at: world.now, by: null },
  );
  const dropped = await world.droppedEvent(endpoint, [filtering.key]);
  await exerciseIssues(world, endpoint, destination);
  await exerciseTypes(world, endpoint);
  await exerciseProof(world, endpoint);
  await events.deliveries(dropped.seq, world.now);
  await destinations.remove(endpoint.key, destination.id, world.now, true);
  await events.remove(endpoint.key, dropped.id);
  await upkeep.retireSlice({ before: world.now + 1 }, 10);
  await accounts.findUserByEmail('nobody');
  const hash = Buffer.alloc(32, 9);
  await apiTokens.create(
    {
      ...{ id: newId('tok', 1), userId: endpoint.userId, name: 'ci', hash, scopes: ['read'] },
      ...{ endpointIds: [endpoint.id], createdAt: 1, lastUsedAt: null, expiresAt: null },
    },
    MANY,
  );
  await apiTokens.use(hash, 1);
  await apiTokens.list(endpoint.userId);
  await audit.list(endpoint.userId, { offset: 0, limit: 10 });
  await audit.retireSlice(1, '', 10);
  await accounts.listSessions(endpoint.userId, { idleMs: 1, absoluteMs: 1 }, 1);
  await endpoints.remove(endpoint.key, world.now);
  while ((await upkeep.purgeSlice(10)).more);
}

/** Verifies, refuses and repeats requests. */
async function exerciseProof(world: World, endpoint: Endpoint): Promise<void> {
  const { endpoints, rejected } = world.store;
  await endpoints.update(endpoint.key, { source: STRIPE, ...settingsPatch({ dedupe: BY_ID }) });
  const settings = Object.assign({}, DEFAULT_DESTINATION_SETTINGS, { sign_as: 'provider' });
  await world.destination(endpoint, { settings });
  const verdict = await world.verdict(endpoint);
  const refused = { verdict: { ...verdict, verification: FAILED, refused: { keep: true } } };
  await world.capture(endpoint, [refused, refused]);
  const page = await rejected.list(endpoint.key, { offset: 0, limit: 10 });
  const accepts = page.rejected[0]?.id ?? '';
  await rejected.find(endpoint.key, accepts);
  const once = { ...verdict, once: { key: 'a', body: 'b' } };
  await world.events(endpoint, [{ accepts, verdict: once }, { verdict: once }]);
  await world.store.queue.begin(await world.claimDue(), world.now, world.now);
}

describe('the writer’s thread', () => {
  test('scans no growing table', async () => {
    const { world, plans } = notingStore();
    await exercise(world);
    const all = plans();
    expect(all.size).toBeGreaterThan(50);
    expect(scansIn(all)).toEqual([]);
  });

  test('finds the first due deliveries with one seek for each destination', async () => {
    const { plans } = notingStore();
    const all = [...plans()];
    const planOf = (part: string) =>
      all.filter(([sql]) => sql.includes(part)).map(([, plan]) => plan);
    const [heads, ...others] = planOf('RECURSIVE heads');
    expect(others).toEqual([]);
    expect(heads?.filter((step) => step.includes(' open_deliveries '))).toEqual([
      'SEARCH open_deliveries USING COVERING INDEX open_deliveries_due',
      'SEARCH open_deliveries USING COVERING INDEX open_deliveries_due (destination_key>?)',
      'SEARCH open_deliveries USING COVERING INDEX open_deliveries_due (destination_key=? AND behind=?)',
    ]);
    const due = all.filter(([sql]) => /ORDER BY (v\.)?next_attempt_at LIMIT/.test(sql));
    // The longest due ones, and the end of the queue that a probe takes.
    expect(due).toHaveLength(2);
    for (const [, [first]] of due) {
      expect(first).toMatch(
        /^SEARCH .* INDEX open_deliveries_due \(destination_key=\? AND behind=\?\)$/,
      );
    }
    const steps = due.flatMap(([, plan]) => plan);
    expect(sortsIn(steps)).toEqual([]);
  });

  test('finds expired events in the index by time', async () => {
    const { world, plans } = notingStore();
    plans();
    await world.store.upkeep.retireSlice({ before: world.now }, 10);
    expect([...plans().values()].flat()).toContainEqual(
      expect.stringMatching(/^SEARCH e USING .*INDEX events_by_time .*received_at</),
    );
  });
});

describe('the reader’s thread', () => {
  const scopes: [string, Scope][] = [
    ['account', { userId: 'usr_1' }],
    ['endpoint', { endpointKeys: [1] }],
  ];
  test.each(scopes)('lets a live stream catch up without a sort: %s', (_, scope) => {
    const { db, plans } = notingReader();
    db.exec(`
      INSERT INTO users VALUES ('usr_1', 'a@example.com', '', 'free', 0);
      INSERT INTO endpoints (key, id, user_id, created_at) VALUES (1, 'ep_1', 'usr_1', 0);
      INSERT INTO attempts (id, event_seq, endpoint_key, destination_key, delivery_id, trigger,
          number, response_truncated, duration_ms, attempted_at)
        VALUES ('att_1', 1, 1, 1, 'dlv_1', 0, 1, 0, 1, 1)`);
    resultOf(eventsAfter(db, scope, 5, 10));
    attemptsAfter(db, scope, 0, 10);
    resultOf(sequencesAt(db, scope, 1000));
    const steps = [...plans().values()].flat();
    expect(steps.length).toBeGreaterThan(8);
    expect(sortsIn(steps)).toEqual([]);
    expect(steps).toContain('SEARCH a USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)');
    expect(steps.filter((step) => GROWING.test(step) && !step.includes('attempts'))).toEqual([]);
  });

  const PAGE = { offset: 0, limit: 10 };
  const byTime = 'SEARCH e USING COVERING INDEX events_by_time (endpoint_key=? AND received_at>?';
  const bySequence = 'SEARCH e USING PRIMARY KEY (endpoint_key=? AND seq>? AND seq<?)';
  const byStatus =
    'SEARCH e USING INDEX events_by_status (endpoint_key=? AND status=? AND seq>? AND seq<?)';
  const verified = 'INDEX events_by_verification (endpoint_key=? AND verification=?';
  const byVerification = `SEARCH e USING ${verified} AND seq>? AND seq<?)`;
  const repeated = [
    'SEARCH e USING INDEX events_duplicate (endpoint_key=?)',
    'SEARCH e USING INDEX events_duplicate (endpoint_key=? AND seq>? AND seq<?)',
  ];
  const counted = 'SEARCH event_counts USING PRIMARY KEY (endpoint_key=?';

  const lists: [string, EventFilter, string[]][] = [
    ['nothing', {}, [`${counted})`, bySequence]],
    ['status', { status: 'failed' }, [`${counted} AND status=?)`, byStatus]],
    ['delivered', { status: 'delivered' }, [`${counted} AND status=?)`, bySequence]],
    [
      'delivered and verification',
      { status: 'delivered', verification: 'failed' },
      [byVerification],
    ],
    ['start', { from: 1 }, [`${byTime})`]],
    ['start and end', { from: 1, to: 2 }, [`${byTime} AND received_at<?)`]],
    [
      'verification',
      { verification: 'failed' },
      [`SEARCH e USING COVERING ${verified})`, byVerification],
    ],
    [
      'verification and start',
      { verification: 'verified', from: 1 },
      [`SEARCH e USING ${verified})`, byVerification],
    ],
    ['verification and status', { verification: 'verified', status: 'failed' }, [byStatus]],
    ['no verification', { verification: 'unverified' }, [bySequence]],
    ['only repeated', { duplicates: 'only' }, repeated],
    ['only repeated, failed', { duplicates: 'only', verification: 'failed' }, repeated],
    ['not repeated', { duplicates: 'hide' }, [bySequence]],
  ];
  test.each(lists)('lists by %s with its index and without a sort', (_, filter, steps) => {
    const { db, plans } = notingReader();
    // Each filter fits one: without any, no page is read.
    db.exec(`
      INSERT INTO events (endpoint_key, seq, id, status, round, method, path, size, source_ip,
          received_at, verification, duplicate_of)
        VALUES (1, 1, 'evt_1', 0, 1, 'POST', '', 0, '', 1, 3, 'evt_0'),
          (1, 2, 'evt_2', ${statusCode('failed')}, 1, 'POST', '', 0, '', 1, 1, NULL),
          (1, 3, 'evt_3', 0, 1, 'POST', '', 0, '', 1, NULL, NULL),
          (1, 4, 'evt_4', ${statusCode('delivered')}, 1, 'POST', '', 0, '', 1, 3, NULL)`);
    plans();
    expect(pageOfEvents(db, 1, filter, PAGE).events).not.toEqual([]);
    countEvents(db, 1, filter);
    matchingSeqs(db, 1, filter, 1000, 10);
    const all = plans();
    expect([...all.values()].flat()).toEqual(expect.arrayContaining(steps));
    expect(scansIn(all)).toEqual([]);
    expect(sortsIn([...all.values()].flat())).toEqual([]);
  });

  test('lists what waits from the queue’s primary key, merged and without a sort', () => {
    const { db, plans } = notingReader();
    db.exec(`
      INSERT INTO users VALUES ('user_7', 'b@example.com', '', 'free', 0);
      INSERT INTO endpoints (key, id, user_id, created_at) VALUES (7, 'ep_7', 'user_7', 0);
      INSERT INTO destinations (key, id, endpoint_key, url, created_at)
        VALUES (71, 'dst_71', 7, '', 0), (72, 'dst_72', 7, '', 0), (73, 'dst_73', 7, '', 0);
      INSERT INTO events (endpoint_key, seq, id, status, round, method, path, size, source_ip,
          received_at, open)
        VALUES (7, 1, 'evt_71', 0, 1, 'POST', '', 0, '', 1, 2);
      INSERT INTO open_deliveries (destination_key, event_seq, round, endpoint_key, id, trigger,
          attempts, probes, next_attempt_at)
        VALUES (71, 1, 1, 7, 'dlv_71', 0, 0, 0, 0), (72, 1, 1, 7, 'dlv_72', 0, 0, 0, 0)`);
    plans();
    for (const filter of [{ waiting: true }, { waiting: true, method: 'POST' }] as const) {
      expect(pageOfEvents(db, 7, filter, PAGE)).toMatchObject({ events: [{ seq: 1 }], total: 1 });
      matchingSeqs(db, 7, filter, 1000, 10);
    }
    const all = plans();
    const steps = [...all.values()].flat();
    expect(steps).toContain(
      'SEARCH w USING PRIMARY KEY (destination_key=? AND event_seq>? AND event_seq<?)',
    );
    expect(steps).toContain('MERGE (UNION)');
    expect(scansIn(all)).toEqual([]);
    const lists = [...all].filter(([sql]) => sql.includes('LIMIT'));
    expect(sortsIn(lists.flatMap(([, plan]) => plan))).toEqual([]);
  });

  test('scans no table for a search', () => {
    const { db, plans } = notingReader();
    const onBroken = () => expect.unreachable();
    for (const text of [
      { q: 'needle' },
      { q: 'n' },
      { where: 'body.a=needle' },
      { where: 'body.a>1 and method=PUT' },
      { type: 'invoice.paid' },
    ]) {
      for (const filter of [{}, { status: 'failed' }, { method: 'GET', from: 1, to: 2 }] as const) {
        const found = findEvents(db, { onBroken }, [1], { ...filter, ...text }, { keep: 10 });
        expect(resultOf(found).total).toBe(0);
      }
    }
    resultOf(listEvents(db, null, { userId: 'user_1' }, {}, PAGE));
    resultOf(classifyRows(db, [1, 2], 'body.a=needle'));
    resultOf(newestEvents(db, 1, null, { most: 10, bytes: 10 }));
    resultOf(guessesOf(db, [1]));
    for (const events of [{ last: 10 }, { ids: ['evt_1'] }]) {
      resultOf(tryRules(db, 1, { rules: ['body.a=1'], events, deadlineMs: 1000 }));
    }
    const all = plans();
    expect([...all.keys()].join()).toMatch(/grams MATCH/);
    expect(scansIn(all)).toEqual([]);
  });

  test('scans no table for issues, and sorts only lists of an account and new failures', async () => {
    const { db, plans } = notingReader();
    await exerciseIssueReads(db);
    const all = plans();
    expect(all.size).toBeGreaterThan(8);
    expect(scansIn(all)).toEqual([]);
    // The events of several endpoints that failed since the last look.
    expect(sortsIn([...all.values()].flat())).toEqual(['USE TEMP B-TREE FOR ORDER BY']);
  });

  test('scans no table for types, and sorts no page', async () => {
    const { db, plans } = notingReader();
    await exerciseTypeReads(db);
    const all = plans();
    expect(all.size).toBe(7);
    expect(scansIn(all)).toEqual([]);
    expect(sortsIn([...all.values()].flat())).toEqual([]);
  });

  test('counts due deliveries in the queue’s index', () => {
    const { db, plans } = notingReader();
    readStats(db, true, 1);
    expect(scansIn(plans())).toEqual([]);
  });
});

test('every index serves a statement', async () => {
  const { world, plans, db } = notingStore();
  await exercise(world);
  const reader = notingReader();
  for (const filter of [
    {},
    { status: 'failed' },
    { from: 1 },
    { verification: 'failed' },
    { duplicates: 'only' },
  ] as const) {
    pageOfEvents(reader.db, 1, filter, { offset: 0, limit: 10 });
    matchingSeqs(reader.db, 1, filter, 1000, 10);
  }
  await exerciseIssueReads(reader.db);
  await exerciseTypeReads(reader.db);
  const steps = [...plans().values(), ...reader.plans().values()].flat().join('\n');
  const indexes = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    .pluck()
    .all() as string[];
  expect(indexes.length).toBeGreaterThan(5);
  expect(indexes.filter((name) => !new RegExp(`INDEX ${name}\\b`).test(steps))).toEqual([]);
});
