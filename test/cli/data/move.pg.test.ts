import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Endpoint } from '../../../src/core/model.ts';
import { openMove } from '../../../src/store/open.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { MANY } from '../../fixtures/many.ts';
import { tempDatabase } from '../../fixtures/postgres-database.ts';
import { verdictOf } from '../../fixtures/verdict.ts';
import { newEntry, newToken } from '../../store/conformance/account-rows.ts';
import { newChannel, newIssue, saved } from '../../store/conformance/issue-rows.ts';
import { withSettings } from '../../store/conformance/replay-targets.ts';
import { CLAIM_NOTHING, type RequestPatch, type World } from '../../store/conformance/world.ts';
import { openNode } from '../../store/postgres/temp-store.ts';
import { DataDir } from '../local-server.ts';

/** Rows in every table, with values that PostgreSQL's types may reject. */
async function fill(world: World): Promise<void> {
  const response = { status: 202, content_type: 'text/plain', body: 'é' };
  for (let i = 0; i < 3; i++) {
    const endpoint = await world.endpoint({ response: i === 0 ? response : null });
    const sealedHeaders = Buffer.of(92, 0, 39, 255);
    const { id } = await world.destination(endpoint, {
      sealedSecret: Buffer.of(0, 255, 39, 92),
      sealedHeaders,
      sealedUrl: Buffer.of(255, 92, 39, 0),
    });
    const previousSecret = { sealed: Buffer.of(39, 0, 92), until: 9e12 };
    const change = { at: world.now, by: null };
    await world.store.destinations.update(endpoint.key, id, { previousSecret }, change);
    await world.destination(endpoint);
    const limits = { scopes: ['read'], endpointIds: [endpoint.id], expiresAt: 9e12 } as const;
    await world.store.apiTokens.create(newToken(endpoint.userId, limits), MANY);
    await world.store.apiTokens.create(newToken(endpoint.userId), MANY);
    const changes = { name: [null, 'a\0é "\\'] as [unknown, unknown] };
    await world.store.audit.add(newEntry(endpoint.userId, { at: 7, changes }), { most: MANY });
    await world.store.audit.add(newEntry(endpoint.userId, { changes: null }), { most: MANY });
    await world.events(endpoint, [
      { body: Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)) },
      { body: '{"a":"caf\\u00e9 \\\\ \'"}', rawHeaders: ['X', '\0é"\\{}'], provider: 'github' },
      { body: `{"large":"${'caf\\u00e9 '.repeat(5000)}"}` },
      ...Array.from({ length: 2500 }, (_, n) => ({ body: `{"n":${n}}` })),
    ]);
    world.now += 1;
    const claims = await world.claimDue({ limit: 60, perDestination: 30 });
    await world.store.queue.settle(
      claims.map((claim, n) => {
        const settlement = world.settlement(
          claim,
          (['succeeded', 'dead', { retryInMs: 5000 }] as const)[n % 3] ?? 'dead',
          n % 3 === 2
            ? { reach: 'failed', ...(n % 2 === 0 && { next: { state: 'held' as const } }) }
            : {},
        );
        Object.assign(settlement.attempt, {
          responseHeaders: n % 3 ? null : [['X-\\"{}', 'caf\u00c3\u00a9 \'"\\,{}']],
          requestHeaders:
            n % 4
              ? null
              : [
                  ['X-\\"{}', '\'"\\,{}'],
                  ['webhook-id', claim.eventId],
                ],
          ruleVersion: n % 2 ? null : n,
          responseBody: n % 2 ? null : 'a\0b\ufffd',
          error: n % 5 ? null : { code: 'timeout', message: 'late' },
        });
        return settlement;
      }),
      BREAKER,
    );
    await world.store.replays.startJob(
      {
        id: `job_${i}`,
        endpointKey: endpoint.key,
        filter: { q: 'x' },
        now: world.now,
      },
      MANY,
    );
  }
  await fillReplays(world);
  await fillProof(world);
  const gone = await world.endpoint();
  await world.event(gone);
  await world.store.endpoints.remove(gone.key, world.now);
}

/** Order keys, a one-off URL, a copy, and jobs that have queued some of their events. */
async function fillReplays(world: World): Promise<void> {
  const endpoint = await world.endpoint({ retention: 5000 });
  const events = await world.events(endpoint, [{}, { editedFrom: 'evt_first' }]);
  await world.destination(endpoint, withSettings({ order_by: '*' }));
  const { replays } = world.store;
  for (const { seq } of events) {
    await replays.replay(endpoint.key, seq, world.now, CLAIM_NOTHING);
  }
  const [first] = events;
  const once = { to: 'url', url: 'https://once.example', id: 'dst_once', mostUrls: 1 } as const;
  await replays.replay(endpoint.key, first?.seq ?? 0, world.now, CLAIM_NOTHING, once);
  const job = { id: 'job_last', endpointKey: endpoint.key, filter: {}, now: world.now };
  await replays.startJob(job, MANY);
  for (let n = 0; n < 6; n++) await replays.workOff(world.now, { events: 1, deliveries: 1 });
}

/** An endpoint with an enforced source, a key, its duplicate, and rejected requests. */
async function fillProof(world: World): Promise<void> {
  const sealedSecrets = Buffer.of(0, 92, 39, 255);
  const scheme = { provider: 'github', enforce: true, url: null, in: null, scheme: null };
  const endpoint = await world.endpoint({
    source: { ...scheme, sealedSecrets },
    dedupe: { by: ['body.é'], since: 'since' },
  });
  await world.destination(endpoint);
  await world.capture(endpoint, await keyedAndRefused(world, world.store, endpoint));
}

/** Two requests with one key, and two that the endpoint's source refuses. */
async function keyedAndRefused(
  world: World,
  { events }: World['store'],
  endpoint: Endpoint,
): Promise<RequestPatch[]> {
  const { results } = await events.appendBatch([world.request(endpoint)], CLAIM_NOTHING);
  const [stale] = results;
  const judgeBy = stale && 'judgeBy' in stale ? stale.judgeBy : null;
  const version = judgeBy?.version ?? 0;
  const verified = { state: 'verified', provider: 'github', secret: 2, reason: null } as const;
  const reason = 'signature_mismatch' as const;
  const failed = { state: 'failed', provider: 'github', secret: null, reason } as const;
  const keyed = (body: string): RequestPatch => ({
    verdict: verdictOf({ version, verification: verified, once: { key: 'key', body } }),
  });
  const refused = (body: Buffer): RequestPatch => ({
    ...{ body, rawHeaders: ['X', '\0é"\\{}'], query: 'a=b', contentType: 'text/plain' },
    verdict: verdictOf({ version, verification: failed, refused: { keep: true } }),
  });
  const bodies = [Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), Buffer.alloc(0)];
  return [keyed('one'), keyed('other'), ...bodies.map(refused)];
}

function hex(bytes: Uint8Array | null): string | null {
  return bytes && Buffer.from(bytes).toString('hex');
}

/** What the API shows of every endpoint. */
async function shownBy(store: World['store'], world: World, userIds: string[]) {
  const shown = [];
  for (const userId of userIds) {
    shown.push(await store.apiTokens.list(userId));
    shown.push(await store.audit.list(userId, { offset: 0, limit: 10 }));
    for (const endpoint of await store.endpoints.list(userId)) {
      const window = { offset: 0, limit: 1000 };
      const { events, total } = await store.events.list(
        { endpointKeys: [endpoint.key] },
        {},
        window,
      );
      const search = await store.events.list(
        { endpointKeys: [endpoint.key] },
        { q: 'café' },
        window,
      );
      const first = await store.events.list(
        { endpointKeys: [endpoint.key] },
        {},
        { offset: Math.max(0, total - 30), limit: 30 },
      );
      for (const { seq } of first.events) {
        const content = await store.events.content(seq);
        shown.push(content?.body.toString('hex'), content?.rawHeaders);
        shown.push(await store.events.deliveries(seq, world.now), await store.events.attempts(seq));
      }
      const { source, ...rest } = endpoint;
      const secrets = hex(source?.sealedSecrets ?? null);
      shown.push(rest, { ...source, sealedSecrets: secrets }, events, total, search);
      const { rejected } = await store.rejected.list(endpoint.key, window);
      shown.push(rejected);
      for (const { id } of rejected) {
        const found = await store.rejected.find(endpoint.key, id);
        shown.push({ ...found?.content, body: hex(found?.content.body ?? null) });
      }
      shown.push(await store.replays.jobs(endpoint.key, { offset: 0, limit: 10 }));
      const destinations = await store.destinations.list(endpoint.key);
      shown.push(
        destinations.map(({ sealedUrl, sealedSecret, sealedHeaders, previousSecret, ...rest }) => ({
          ...rest,
          sealedUrl: hex(sealedUrl),
          sealed: hex(sealedSecret),
          headers: hex(sealedHeaders),
          previous: previousSecret && { ...previousSecret, sealed: hex(previousSecret.sealed) },
        })),
        await store.destinations.conditions(endpoint.key, null),
        await store.deliveries.list(endpoint.key, {}, { ...window, now: world.now }),
      );
    }
  }
  const { pending } = await store.stats(world.now);
  return [...shown, pending, await store.live.lastSequences(), store.generation];
}

test('a move copies everything, also after an interruption, and both databases show the same', async () => {
  const database = await tempDatabase();
  const data = new DataDir();
  let before: unknown;
  let userIds: string[] = [];
  let world: World | undefined;
  await data.fill(async (filled) => {
    world = filled;
    await fill(filled);
    userIds = (await openedUsers(data)).map(({ id }) => id);
    before = await shownBy(filled.store, filled, userIds);
  });

  // The move breaks off in the middle of a table, and again in another.
  for (const table of ['event_contents', 'deliveries']) {
    const move = await openMove({ dataDir: data.path, to: database.url });
    const brokenOff = new Error('broken off');
    const running = move.run((progress) => {
      if (progress.table === table) throw brokenOff;
    });
    await expect(running).rejects.toBe(brokenOff);
    await move.close();
    // No node starts on half of the data.
    await expect(openNode(database.url)).rejects.toMatchObject({
      code: 'database_unusable',
      hint: expect.stringContaining('hookrelay migrate'),
    });
  }
  const moved = await data.json('migrate', '--from', 'sqlite', '--to', database.url);
  expect(moved).toMatchObject({ resumed: true, was_done: false });
  expect(moved.tables).toContainEqual(
    expect.objectContaining({ name: 'event_contents', rows: 7514 }),
  );

  const node = await openNode(database.url);
  onTestFinished(() => node.close());
  const inWorld = world as unknown as World;
  expect(await shownBy(node, inWorld, userIds)).toEqual(before);
  // Sequence numbers continue.
  const { eventSeq } = await node.live.lastSequences();
  const [endpoint] = await node.endpoints.list(userIds[0] as string);
  const captured = await node.events.appendBatch(
    [inWorld.request(endpoint as never)],
    inWorld.terms(),
  );
  expect(captured.results[0]).toMatchObject({ stored: true });
  expect((await node.live.lastSequences()).eventSeq).toBeGreaterThan(eventSeq);
  // Turns do too: of an order key only the first delivery goes.
  const [copy] = await database.query<{ seq: number; endpoint_key: number }>(
    'SELECT seq::integer, endpoint_key::integer FROM events WHERE edited_from IS NOT NULL',
  );
  const { seq = 0, endpoint_key: key = 0 } = copy ?? {};
  await node.replays.replay(key, seq, inWorld.now, inWorld.terms());
  const heads = await database.query(
    `SELECT count(*)::integer AS open, count(*) FILTER (WHERE NOT behind)::integer AS heads
     FROM open_deliveries WHERE order_key IS NOT NULL`,
  );
  expect(heads).toEqual([{ open: 2, heads: 1 }]);
  // Keys and rejected requests go on.
  const proved = (await endpointsOf(node, userIds)).find(({ source }) => source !== null);
  if (!proved) throw new Error('no endpoint has a source');
  const patches = await keyedAndRefused(inWorld, node, proved);
  inWorld.now += 5000;
  const again = await node.events.appendBatch(
    patches.map((patch) => inWorld.request(proved, patch)),
    CLAIM_NOTHING,
  );
  const [first, duplicate] = await database.query<{ event_id: string }>(
    'SELECT event_id FROM first_events',
  );
  expect(duplicate).toBeUndefined();
  expect(again.results.slice(0, 2)).toMatchObject([
    { event: { duplicateOf: first?.event_id, isConflicting: false } },
    { event: { duplicateOf: first?.event_id, isConflicting: true } },
  ]);
  const { total: rejected } = await node.rejected.list(proved.key, { offset: 0, limit: 1 });
  expect(rejected).toBe(4);
  await node.replays.startJob({ id: 'job_new', endpointKey: key, filter: {}, now: 1 }, MANY);
});

async function endpointsOf(store: World['store'], userIds: string[]): Promise<Endpoint[]> {
  return (await Promise.all(userIds.map((id) => store.endpoints.list(id)))).flat();
}

async function openedUsers(data: DataDir): Promise<{ id: string }[]> {
  return data.json('users', 'list');
}

test('a move brings issues, channels, messages and cursors, whose numbers continue', async () => {
  const database = await tempDatabase();
  const data = new DataDir();
  let filled: World | undefined;
  let userId = '';
  const read = async ({ issues, channels }: World['store']) => ({
    list: await issues.list({ userId, endpointIds: null }, {}, { offset: 0, limit: 10 }),
    channels: (await channels.list(userId)).map(({ confirmHash, ...rest }) => ({
      ...rest,
      confirmHash: hex(confirmHash),
    })),
    queued: await issues.queued(10),
    attempts: await issues.cursor('attempts'),
    expectations: await issues.expectations(0, 10),
  });
  let before: unknown;
  await data.fill(async (world) => {
    filled = world;
    const endpoint = await world.endpoint({ expect_every: 5000 });
    userId = endpoint.userId;
    const destination = await world.destination(endpoint);
    const told = { notified: 'open', notifiedAt: 5, notifyAt: null } as const;
    const added = [newIssue(world, endpoint, destination, told), newIssue(world, endpoint, null)];
    await saved(world, added);
    const confirmHash = Buffer.from([0, 92, 39, 255]);
    const channel = newChannel(world, userId, { kinds: ['silence'], confirmHash });
    const { key: channelKey, publicToken } = await world.store.channels.add(channel, MANY);
    const text = { contentType: 'text/plain', body: 'é', createdAt: 7 };
    const message = { channelKey, publicToken, ...text };
    await world.store.issues.queue([{ id: 'msg_1', ...message }]);
    const cursor = { name: 'attempts', before: 0, after: 3 } as const;
    await world.store.issues.save({ cursor, added: [], changed: [], dropped: [] });
    before = await read(world.store);
  });
  await data.json('migrate', '--from', 'sqlite', '--to', database.url);

  const node = await openNode(database.url);
  onTestFinished(() => node.close());
  expect(await read(node)).toEqual(before);
  const world = filled as unknown as World;
  world.store = node;
  const [endpoint] = await node.endpoints.list(userId);
  const patch = { subject: 'new', notifyAt: null };
  await saved(world, [newIssue(world, endpoint as Endpoint, null, patch)]);
  const added = await node.channels.add(newChannel(world, userId), MANY);
  await node.issues.queue([
    {
      ...{ id: 'msg_2', channelKey: added.key, publicToken: added.publicToken },
      ...{ contentType: 'text/plain', body: '', createdAt: 8 },
    },
  ]);
  expect((await node.issues.queued(10)).map(({ id }) => id)).toEqual(['msg_1', 'msg_2']);
});

test('a move needs the same secret, and says how nodes get it', async () => {
  const database = await tempDatabase();
  const data = new DataDir();
  await data.fill(async (world) => {
    await world.event(await world.endpoint());
  });
  const secretFile = join(data.path, 'secret.key');
  const secret = readFileSync(secretFile);
  const args = ['migrate', '--from', 'sqlite', '--to', database.url];

  rmSync(secretFile);
  expect(await data.run(args)).toMatchObject({ code: 1, stdout: '' });
  writeFileSync(secretFile, 'x'.repeat(44));
  expect((await data.run(args)).stderr).toContain('does not belong to the data');
  writeFileSync(secretFile, secret);
  const moved = await data.run(args);
  expect(moved).toMatchObject({ code: 0 });
  expect(moved.stderr).toContain(`HOOKRELAY_SECRET_KEY="$(cat ${secretFile})"`);
  // A second move doubles nothing. The variable keeps the password off the command
  // line.
  const again = await data.run(['migrate', '--from', 'sqlite', '--json'], undefined, {
    HOOKRELAY_DATABASE: database.url,
  });
  expect(again.json).toMatchObject({ was_done: true });

  // Nothing is moved into a database in use.
  const other = new DataDir();
  await other.fill(async (world) => {
    await world.event(await world.endpoint());
  });
  const refused = await other.run(args);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('createdb');
});
