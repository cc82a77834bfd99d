import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Channel, ChannelMessage } from '../../../../src/core/channels/channel.ts';
import { newId } from '../../../../src/core/ids.ts';
import type { Issue } from '../../../../src/core/issues/issue.ts';
import type { Endpoint } from '../../../../src/core/model.ts';
import type { AttemptFact, Fold } from '../../../../src/store/contract/issues.ts';
import type { PostgresStore } from '../../../../src/store/postgres/postgres-store.ts';
import { BREAKER } from '../../../fixtures/breaker.ts';
import { MANY } from '../../../fixtures/many.ts';
import { until } from '../../../fixtures/until.ts';
import { fold, newChannel, newIssue, saved, scopeOf } from '../../conformance/issue-rows.ts';
import { only, type World } from '../../conformance/world.ts';
import { openNodes } from '../nodes.ts';

/** Every node folds facts, tells issues and captures messages, at the same time. */

/** The fold of a keeper that notes which attempts it has counted. */
function counted(
  found: readonly Issue[],
  facts: readonly AttemptFact[],
  at: number,
): Pick<Fold, 'added' | 'changed'> {
  const seqs = facts.map(({ seq }) => seq);
  const [issue] = found;
  const [first] = facts;
  if (issue) {
    const streak = { seqs: [...(issue.streak.seqs as number[]), ...seqs] };
    return { added: [], changed: [{ ...issue, count: issue.count + facts.length, streak }] };
  }
  if (!first) return { added: [], changed: [] };
  const { destinationKey, endpointKey, userId, code } = first;
  const streak = { seqs };
  const rest = { eventIds: [], successes: 0, explanation: null, notified: null, notifiedAt: null };
  const state = { state: 'open', count: facts.length, firstAt: at, lastAt: at } as const;
  const place = { kind: 'delivery', destinationKey, endpointKey, subject: code ?? '' } as const;
  return {
    added: [{ id: newId('iss', at), userId, streak, notifyAt: null, ...place, ...state, ...rest }],
    changed: [],
  };
}

/** One turn of a keeper, with a few attempts of one destination. */
async function turn(
  { issues }: PostgresStore,
  destinationKey: number,
): Promise<'saved' | 'stale' | 'end'> {
  const before = await issues.cursor('attempts');
  const { facts, scannedTo: after } = await issues.attemptFacts(before, 3);
  if (after === before) return 'end';
  const found = await issues.byDestinations([destinationKey], ['delivery']);
  const cursor = { name: 'attempts', before, after } as const;
  const isSaved = await issues.save({ cursor, dropped: [], ...counted(found, facts, 1) });
  return isSaved ? 'saved' : 'stale';
}

/** Captures an event on a node, whose delivery dies there. */
async function die(store: PostgresStore, world: World, endpoint: Endpoint): Promise<number> {
  const { claimed } = await store.events.appendBatch([world.request(endpoint)], world.terms());
  const [settled] = await store.queue.settle([world.settlement(only(claimed), 'dead')], BREAKER);
  return settled?.attempt.seq as number;
}

async function rowsOf<T>(database: { query(sql: string): Promise<unknown[]> }, sql: string) {
  return (await database.query(sql)) as T[];
}

test('nodes that fold the same facts at once count each once, in one issue', async () => {
  const { stores, world } = await openNodes(3);
  const endpoint = await world.endpoint();
  const { key } = await world.destination(endpoint);
  const died: number[] = [];
  let writing = true;
  const keep = async (store: PostgresStore) => {
    for (;;) {
      const wasWriting = writing;
      if ((await turn(store, key)) === 'end' && !wasWriting) return;
    }
  };
  const write = async (store: PostgresStore) => {
    for (let i = 0; i < 25; i++) died.push(await die(store, world, endpoint));
  };
  const keeping = stores.map(keep);
  await Promise.all(stores.map(write)).finally(() => {
    writing = false;
  });
  await Promise.all(keeping);
  const issue = only(await world.store.issues.byDestinations([key], ['delivery']));
  expect(issue).toMatchObject({ count: 75, subject: 'http_500', state: 'open' });
  expect(issue.streak.seqs).toEqual(died.toSorted((a, b) => a - b));
});

test('of two nodes with the same basis one saves, whatever the fold changes', async () => {
  const { stores, world } = await openNodes(2);
  const endpoint = await world.endpoint();
  const destination = await world.destination(endpoint);
  const both = async (make: () => Fold) => {
    const results = await Promise.all(stores.map((store) => store.issues.save(make())));
    return results.toSorted();
  };
  const causes = ['a', 'b', 'c'].map((subject) => ({ subject }));
  const found = () => world.store.issues.byDestinations([destination.key], ['delivery']);
  // New causes without a cursor, named in another order by each node.
  let turns = 0;
  const inTurn = <T>(list: T[]) => (turns++ % 2 ? list.toReversed() : list);
  expect(
    await both(() =>
      fold({ added: inTurn(causes).map((patch) => newIssue(world, endpoint, destination, patch)) }),
    ),
  ).toEqual([false, true]);
  const stored = await found();
  expect(stored.map(({ subject }) => subject).toSorted()).toEqual(['a', 'b', 'c']);
  expect(
    await both(() =>
      fold({ changed: inTurn(stored).map((issue) => ({ ...issue, count: issue.count + 1 })) }),
    ),
  ).toEqual([false, true]);
  const after = await found();
  expect(after.map(({ count, version }) => [count, version])).toEqual(Array(3).fill([4, 2]));
  expect(await both(() => fold({ dropped: inTurn(after) }))).toEqual([false, true]);
  expect(await found()).toEqual([]);
  expect(await both(() => fold({ cursor: { name: 'conflicts', before: 0, after: 5 } }))).toEqual([
    false,
    true,
  ]);
  expect(await world.store.issues.cursor('conflicts')).toBe(5);
});

test('a refused fold saves nothing of itself', async () => {
  const { world } = await openNodes(1);
  const { issues } = world.store;
  const endpoint = await world.endpoint();
  const destination = await world.destination(endpoint);
  const [issue] = (await saved(world, [newIssue(world, endpoint, destination)])) as [Issue];
  const added = [newIssue(world, endpoint, null)];
  const cursor = { name: 'attempts', before: 0, after: 7 } as const;
  const stale = { ...issue, version: 9 };
  expect(await issues.save(fold({ cursor, added, changed: [stale] }))).toBe(false);
  expect(await issues.save(fold({ cursor, added, dropped: [stale] }))).toBe(false);
  expect(await issues.save(fold({ cursor: { ...cursor, before: 1 }, added }))).toBe(false);
  expect(await issues.cursor('attempts')).toBe(0);
  expect(await issues.byCauses(added)).toEqual([]);
  expect(await issues.byCauses([issue])).toEqual([issue]);
});

test('facts end below an attempt that is not committed yet', async () => {
  const { database, stores, world } = await openNodes(2);
  const [a, b] = stores as [PostgresStore, PostgresStore];
  const endpoint = await world.endpoint();
  await world.destination(endpoint);
  const { claimed } = await world.capture(endpoint, [{}, {}], world.terms());
  const [slowClaim, fastClaim] = claimed.toSorted((one, other) => one.eventSeq - other.eventSeq);
  if (!slowClaim || !fastClaim) throw new Error('both were claimed');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM events WHERE seq = $1 FOR UPDATE', [slowClaim.eventSeq]);
  // Node A has taken its number, and waits for the event.
  const slow = a.queue.settle([world.settlement(slowClaim, 'dead')], BREAKER);
  await until('it waits, its number taken', async () => {
    const waiting = await database.query(
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    );
    return waiting.length > 0;
  });
  await b.queue.settle([world.settlement(fastClaim, 'dead')], BREAKER);
  for (const { issues } of stores) {
    expect(await issues.attemptFacts(0, 10)).toEqual({ facts: [], scannedTo: 0 });
  }
  await client.query('COMMIT');
  await slow;
  for (const { issues } of stores) {
    const { facts, scannedTo } = await issues.attemptFacts(0, 10);
    expect(facts.map(({ eventId }) => eventId)).toEqual([slowClaim.eventId, fastClaim.eventId]);
    expect(scannedTo).toBe(facts.at(-1)?.seq);
  }
});

test('a node that dies in a fold leaves nothing of it: another one counts the facts', async () => {
  const { database, stores, world } = await openNodes(2);
  const [a, b] = stores as [PostgresStore, PostgresStore];
  const endpoint = await world.endpoint();
  const { key } = await world.destination(endpoint);
  const seq = await die(a, world, endpoint);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN; LOCK TABLE issues IN SHARE MODE');
  const dying = turn(a, key);
  dying.catch(() => {});
  // Its cursor has moved, and its issue isn't written yet.
  const waiting = `SELECT pid FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO issues%'
      AND datname = current_database()`;
  const [backend] = await until('it waits', async () => {
    const rows = await rowsOf<{ pid: number }>(database, waiting);
    return rows.length > 0 && rows;
  });
  await database.query(`SELECT pg_terminate_backend(${backend?.pid})`);
  await expect(dying).rejects.toMatchObject({ code: 'storage_unavailable' });
  await client.query('COMMIT');
  expect(await b.issues.cursor('attempts')).toBeLessThan(seq);
  expect(await turn(b, key)).toBe('saved');
  expect(await turn(b, key)).toBe('end');
  expect(only(await b.issues.byDestinations([key], ['delivery']))).toMatchObject({
    count: 1,
    streak: { seqs: [seq] },
  });
});

const messageTo = (world: World, channel: Channel): ChannelMessage => ({
  id: newId('msg', world.now),
  channelKey: channel.key,
  publicToken: channel.publicToken,
  contentType: 'application/json',
  body: '{}',
  createdAt: world.now,
});

/** An open issue that is to be told, and its account's channel. */
async function toTell(world: World) {
  const endpoint = await world.endpoint();
  const [issue] = (await saved(world, [
    newIssue(world, endpoint, null, { notifyAt: world.now }),
  ])) as [Issue];
  const channel = await world.store.channels.add(newChannel(world, endpoint.userId), MANY);
  const { key, state, notifyAt } = issue;
  const due = { state, notifyAt };
  const told = { key, due, notified: 'open', notifiedAt: world.now, notifyAt: null } as const;
  return { endpoint, issue, channel, told };
}

test('nodes that tell an issue at once queue one message', async () => {
  const { stores, world } = await openNodes(3);
  const { channel, told, endpoint, issue } = await toTell(world);
  expect(await world.store.issues.toNotify(world.now, 10, [])).toHaveLength(1);
  const results = await Promise.all(
    stores.map(({ issues }) => issues.saveNotified([told], [messageTo(world, channel)])),
  );
  expect(results.toSorted()).toEqual([false, false, true]);
  expect(await world.store.issues.queued(10)).toHaveLength(1);
  expect(await world.store.issues.toNotify(world.now, 10, [])).toEqual([]);
  expect(await world.store.issues.find(scopeOf(endpoint), issue.id)).toMatchObject({
    issue: { notified: 'open', version: 2 },
  });
});

test('of a person and a node that tells, the first wins', async () => {
  const { stores, world } = await openNodes(2);
  const [a, b] = stores as [PostgresStore, PostgresStore];
  for (let round = 0; round < 5; round++) {
    const { channel, told, endpoint, issue } = await toTell(world);
    const scope = scopeOf(endpoint);
    const { version, lastAt } = issue;
    const ignored = { version, state: 'ignored', lastAt, notifyAt: null } as const;
    const [set, isTold] = await Promise.all([
      a.issues.setState(scope, issue.id, ignored),
      b.issues.saveNotified([told], [messageTo(world, channel)]),
    ]);
    expect(set === 'changed').toBe(isTold);
    const queued = await world.store.issues.queued(10);
    expect(queued).toHaveLength(isTold ? 1 : 0);
    await Promise.all(stores.map(({ issues }) => issues.captured(queued.map(({ id }) => id))));
    expect(await world.store.issues.queued(10)).toEqual([]);
  }
});

test('a message of a node that died is captured by another, once', async () => {
  const { stores, world } = await openNodes(2);
  const [a, b] = stores as [PostgresStore, PostgresStore];
  const { channel, told } = await toTell(world);
  const message = messageTo(world, channel);
  expect(await a.issues.saveNotified([told], [message])).toBe(true);
  // The answer to A was lost, and A repeats it.
  expect(await a.issues.saveNotified([told], [message])).toBe(false);
  await a.issues.queue([message]);
  const [queued] = await a.issues.queued(10);
  expect(queued).toEqual({ ...message, publicToken: channel.publicToken });
  // A has read it and dies before it is captured; B goes on.
  expect(await b.issues.queued(10)).toEqual([queued]);
  await b.issues.captured([message.id]);
  expect(await a.issues.queued(10)).toEqual([]);
});

test('a channel that is removed while nodes queue messages leaves none', async () => {
  const { database, stores, world } = await openNodes(2);
  const [a, b] = stores as [PostgresStore, PostgresStore];
  const { id: userId } = await world.user();
  for (let round = 0; round < 5; round++) {
    const channel = await a.channels.add(newChannel(world, userId), MANY);
    await a.issues.queue([messageTo(world, channel)]);
    const messages = Array.from({ length: 3 }, () => messageTo(world, channel));
    await Promise.all([
      ...messages.map((message) => a.issues.queue([message])),
      b.channels.remove(userId, channel.id, world.now),
      a.channels.update(userId, channel.id, { target: 'x', url: 'https://example.com' }),
    ]);
    expect(await database.query('SELECT 1 FROM channel_messages')).toEqual([]);
  }
});

test('an address that changes while nodes queue messages gets none of them', async () => {
  const { database, stores, world } = await openNodes(2);
  const [a, b] = stores as [PostgresStore, PostgresStore];
  const { id: userId } = await world.user();
  const channel = await a.channels.add(newChannel(world, userId, { type: 'email' }), MANY);
  for (let round = 0; round < 10; round++) {
    const now = (await a.channels.find(userId, channel.id)) as Channel;
    const target = `${round}@example.com`;
    const moved = { target, url: `mailto:${target}`, confirmedAt: null };
    const messages = Array.from({ length: 5 }, () => messageTo(world, now));
    await Promise.all([
      ...messages.map((message) => a.issues.queue([message])),
      b.channels.update(userId, channel.id, { ...moved, publicToken: `moved ${round}` }),
    ]);
    expect(await database.query('SELECT 1 FROM channel_messages')).toEqual([]);
  }
});

test('nodes that add channels at once keep the limit, and make one internal account', async () => {
  const { database, stores, world } = await openNodes(3);
  const users = [await world.user(), await world.user()];
  const added = await Promise.allSettled(
    users.flatMap(({ id }) =>
      [...stores, ...stores].map((store) => store.channels.add(newChannel(world, id), 2)),
    ),
  );
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  for (const one of added) {
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'limit_reached' });
  }
  for (const { id } of users) expect(await world.store.channels.list(id)).toHaveLength(2);
  expect(await world.store.accounts.countUsers()).toBe(2);
  expect(await database.query("SELECT 1 FROM users WHERE email = ''")).toHaveLength(1);
});

test('nodes that start together count the time without a server once', async () => {
  const { stores, world } = await openNodes(3);
  const endpoint = await world.endpoint({ expect_every: 60_000 });
  const { issues } = world.store;
  const start = world.now;
  expect(await issues.heartbeat(start, 5000)).toEqual({ before: null });
  const beats = await Promise.all(
    stores.map((store) => store.issues.heartbeat(start + 3_600_000, 5000)),
  );
  expect(beats.map(({ before }) => before).toSorted()).toEqual(
    [start, start + 3_600_000, start + 3_600_000].toSorted(),
  );
  expect(only(await issues.expectations(0, 10))).toMatchObject({
    endpointKey: endpoint.key,
    expectedSince: start + 3_600_000,
  });
});

test('a fold beside the removal of its place leaves no issue', async () => {
  const { database, stores, world } = await openNodes(2);
  const [a, b] = stores as [PostgresStore, PostgresStore];
  for (let round = 0; round < 10; round++) {
    const endpoint = await world.endpoint();
    const destination = await world.destination(endpoint);
    const other = await world.destination(endpoint);
    const purge = async () => {
      await b.endpoints.remove(endpoint.key, world.now);
      while ((await b.upkeep.purgeSlice(100)).more);
    };
    const remove = () => b.destinations.remove(endpoint.key, destination.id, world.now, false);
    const add = (subject: string, to = destination) =>
      a.issues.save(fold({ added: [newIssue(world, endpoint, to, { subject })] }));
    const [isSaved] = await Promise.all([add('first'), remove()]);
    expect(await add('late')).toBe(false);
    const found = await a.issues.byDestinations([destination.key], ['delivery']);
    expect(found.map(({ state }) => state)).toEqual(isSaved ? ['resolved'] : []);
    await Promise.all([add('second', other), add('third', other), purge()]);
    expect(await add('late', other)).toBe(false);
    expect(await database.query('SELECT 1 FROM issues')).toEqual([]);
  }
});
