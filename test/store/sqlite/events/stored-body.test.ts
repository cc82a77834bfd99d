import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LogFields } from '../../../../src/core/runtime/runtime.ts';
import { SqliteAdmin } from '../../../../src/store/sqlite/administration/admin.ts';
import { receivedBody, storedBody } from '../../../../src/store/sqlite/events/stored-body.ts';
import { seededRandom } from '../../../fixtures/random.ts';
import { until } from '../../../fixtures/until.ts';
import { World } from '../../conformance/world.ts';
import { downgradeToSchema2 } from '../downgrade.ts';
import { openStoreIn, openThreadIn, tempDir } from '../temp-store.ts';

const KIB = 1024;
const PAGE_BYTES = 4096;
/** A JSON body like a sender's, different for each event. */
const jsonOf = (name: string, lines = 1000): string =>
  JSON.stringify({ name, lines: Array.from({ length: lines }, (_, n) => ({ n, of: 'an order' })) });

/** Compares by identity, because the output of a difference would be long. */
function liesAsItCame(body: Buffer): boolean {
  const stored = storedBody(body);
  return stored.body === body && stored.uncompressed_size === null;
}

describe('the stored form', () => {
  test('a small body is stored as received', () => {
    const body = Buffer.alloc(16 * KIB - 1, 'a');
    expect(liesAsItCame(body)).toBe(true);
  });

  test('a large body takes a fraction of its size', () => {
    const body = Buffer.from(jsonOf('large', 4000));
    const stored = storedBody(body);
    expect(stored.uncompressed_size).toBe(body.length);
    expect(stored.body.length).toBeLessThan(body.length / 4);
    expect(receivedBody(stored)).toEqual(body);
  });

  test.each([
    ['noise', randomBytes(100 * KIB)],
    ['an archive', gzipSync(randomBytes(60 * KIB).toString('hex'))],
    ['a picture in a form', Buffer.concat([Buffer.alloc(KIB, 'field'), randomBytes(100 * KIB)])],
    [
      'numbers that shrink by less than an eighth',
      Buffer.from(Float64Array.from({ length: 10 * KIB }, Math.random).buffer),
    ],
  ])('%s lies there as it came', (_, body) => {
    expect(body.length).toBeGreaterThan(16 * KIB);
    expect(liesAsItCame(body)).toBe(true);
  });

  test.each([
    ['base64 of noise', Buffer.from(randomBytes(75 * KIB).toString('base64'))],
    ['text of other scripts', Buffer.from('Přílišžluťoučkýkůň日本語のテキスト'.repeat(1000))],
  ])('%s is compressed', (_, body) => {
    const stored = storedBody(body);
    expect(stored.body.length).toBeLessThan(body.length * 0.8);
    expect(receivedBody(stored)).toEqual(body);
  });

  test('a body that is itself a Zstandard frame comes back as that frame', () => {
    const frame = storedBody(Buffer.from(jsonOf('frame', 20_000))).body;
    expect(receivedBody(storedBody(frame))).toEqual(frame);
  });

  test('damage anywhere is detected: wrong bytes never come back', () => {
    const body = Buffer.from(jsonOf('damaged'));
    const { body: stored, uncompressed_size } = storedBody(body);
    const random = seededRandom(1);
    for (let i = 0; i < 500; i++) {
      const damaged = Buffer.from(stored);
      const at = Math.floor(random() * damaged.length);
      damaged[at] = (damaged[at] as number) ^ (1 << Math.floor(random() * 8));
      // A bit of the frame's header that nobody reads may change.
      let received: Buffer | null = null;
      try {
        received = receivedBody({ body: damaged, uncompressed_size });
      } catch (error) {
        expect(error).toMatchObject({ code: 'database_unusable' });
      }
      if (received) expect(received.equals(body), `bit of byte ${at}`).toBe(true);
    }
    const broken = [
      { body: stored.subarray(0, -1), uncompressed_size },
      { body: Buffer.alloc(0), uncompressed_size },
      { body: stored, uncompressed_size: body.length - 1 },
      { body: stored, uncompressed_size: body.length + 1 },
      { body: stored, uncompressed_size: -1 },
      { body: stored, uncompressed_size: 2 ** 33 },
    ];
    for (const row of broken) expect(() => receivedBody(row)).toThrow('damaged');
  });
});

async function openWorld(dataDir: string): Promise<World> {
  const store = await openThreadIn(dataDir);
  return new World({ store, reopen: async () => store, close: () => store.close() });
}

/** Changes the closed database by hand. */
function byHand(dataDir: string, change: (db: Database.Database) => void): void {
  const db = new Database(join(dataDir, 'hookrelay.db'));
  change(db);
  db.close();
}

/** Three large bodies, of which the second is damaged: each with a delivery that is due. */
async function damagedStore() {
  const dataDir = join(tempDir(), 'data');
  const bodies = ['first', 'second', 'third'].map((name) => jsonOf(name));
  const world = await openWorld(dataDir);
  const endpoint = await world.endpoint();
  await world.destination(endpoint);
  const events = await world.events(
    endpoint,
    bodies.map((body) => ({ body })),
  );
  await world.close();
  byHand(dataDir, (db) => {
    const { changes } = db
      .prepare(`
        UPDATE event_contents
        SET body = CAST(substr(body, 1, 50) || x'0000' || substr(body, 53) AS BLOB)
        WHERE seq = ? AND uncompressed_size NOTNULL`)
      .run(events[1]?.seq);
    expect(changes).toBe(1);
  });
  return { dataDir, endpoint, events, bodies };
}

describe('a damaged body', () => {
  test('affects only itself: reads, searches, deliveries', async () => {
    const { dataDir, endpoint, events, bodies } = await damagedStore();
    const world = await openWorld(dataDir);
    onTestFinished(() => world.close());
    world.now += 1000;
    const contents = await Promise.allSettled(
      events.map(({ seq }) => world.store.events.content(seq)),
    );
    expect(contents.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(contents[1]).toMatchObject({
      reason: { code: 'database_unusable', hint: expect.stringContaining('doctor --full') },
    });

    const [first, , third] = events;
    await world.indexed();
    expect(await world.listed(endpoint, { q: 'an order' })).toEqual([third, first]);
    expect(await world.listed(endpoint, { q: '"name":"third"' })).toEqual([third]);

    const limits = { most: 10, bytes: 1_000_000, largest: 256 * KIB };
    const learned = await world.store.types.toLearn(0, limits);
    expect(learned.events.map(({ body }) => Buffer.from(body).toString())).toEqual([
      bodies[0],
      '',
      bodies[2],
    ]);

    const claims = await world.store.queue.claimDue(world.now, {
      ...world.terms(),
      perDestination: 10,
    });
    expect(claims).toHaveLength(3);
    const begun = await world.store.queue.begin(claims, world.now + 60_000, world.now);
    expect(
      begun.map((outgoing) =>
        outgoing?.request === 'damaged' ? 'damaged' : outgoing?.request.body.toString(),
      ),
    ).toEqual([bodies[0], 'damaged', bodies[2]]);
  });

  test('is named by the full check only', async () => {
    const { dataDir, events } = await damagedStore();
    const admin = new SqliteAdmin(dataDir);
    expect(await admin.checkIntegrity(false)).toEqual([]);
    expect(await admin.checkIntegrity(true)).toEqual([
      `the stored body of event ${events[1]?.id} is damaged`,
    ]);
  });
});

describe('a body with broken pages', () => {
  /** Three events, each with a due delivery. A page of the second body is broken. */
  async function brokenStore() {
    const dataDir = join(tempDir(), 'data');
    const world = await openWorld(dataDir);
    const endpoint = await world.endpoint();
    await world.destination(endpoint);
    const body = Buffer.from(randomBytes(32 * KIB).toString('hex'));
    await world.events(endpoint, [{ body: 'first' }, { body }, { body: 'third' }]);
    await world.close();
    const file = join(dataDir, 'hookrelay.db');
    const bytes = readFileSync(file);
    const within = bytes.indexOf(storedBody(body).body.subarray(20_000, 20_050));
    expect(within).toBeGreaterThan(0);
    // The number of the body's next page.
    bytes.writeUInt32BE(0xfffffff0, within - (within % PAGE_BYTES));
    writeFileSync(file, bytes);
    // Without the file the index is rebuilt.
    rmSync(join(dataDir, 'search.db'));
    return dataDir;
  }

  test('is skipped by the index', async () => {
    const world = await openWorld(await brokenStore());
    onTestFinished(() => world.close());
    await world.indexed();
  });

  test('teaches nothing, and keeps no type from the events after it', async () => {
    const world = await openWorld(await brokenStore());
    onTestFinished(() => world.close());
    const limits = { most: 10, bytes: 1_000_000, largest: 256 * KIB };
    const { events } = await world.store.types.toLearn(0, limits);
    expect(events.map(({ body }) => Buffer.from(body).toString())).toEqual(['first', '', 'third']);
  });

  test('if the rows can’t be found, the indexer stops and logs why; the rest goes on', async () => {
    const dataDir = await brokenStore();
    const file = join(dataDir, 'hookrelay.db');
    const bytes = readFileSync(file);
    const within = bytes.indexOf('third');
    const start = within - (within % PAGE_BYTES);
    bytes.fill(0xa5, start, start + PAGE_BYTES);
    writeFileSync(file, bytes);
    const logged: [string, LogFields | undefined][] = [];
    const note = (message: string, fields?: LogFields) => void logged.push([message, fields]);
    const store = await openThreadIn(dataDir, { debug() {}, info() {}, warn: note, error: note });
    await until('it is logged', () => logged.length > 0);
    await store.checkWritable();
    await store.close();
    const message = expect.stringContaining('cannot read the events');
    expect(logged).toEqual([
      [
        expect.stringContaining('the search indexer stopped'),
        { error: expect.objectContaining({ message }) },
      ],
    ]);
  });

  test('the full check reports SQLite’s message', async () => {
    expect(await new SqliteAdmin(await brokenStore()).checkIntegrity(true)).toEqual([
      expect.stringContaining('invalid page number'),
    ]);
  });

  test.each([
    ['in the store’s thread', openThreadIn],
    ['without it', openStoreIn],
  ])('affects only its own delivery, %s', async (_, open) => {
    const store = await open(await brokenStore());
    onTestFinished(() => store.close());
    const now = Date.now() + 60_000;
    const leaseUntil = now + 60_000;
    const terms = { leaseUntil, limit: 10, perDestination: 10, skip: new Set<number>() };
    const claims = await store.queue.claimDue(now, terms);
    const begun = await store.queue.begin(claims, leaseUntil, 0);
    expect(
      begun.map((outgoing) =>
        outgoing?.request === 'damaged' ? 'damaged' : outgoing?.request.body.toString(),
      ),
    ).toEqual(['first', 'damaged', 'third']);
  });
});

test('a database with schema 1 keeps its bodies and takes new ones', async () => {
  const dataDir = join(tempDir(), 'data');
  const before = await openWorld(dataDir);
  const endpoint = await before.endpoint();
  const old = await before.event(endpoint, { body: jsonOf('old', 10) });
  const large = await before.event(endpoint, { body: 'replaced by hand' });
  await before.close();
  byHand(dataDir, (db) => {
    db.prepare('UPDATE event_contents SET body = ? WHERE seq = ?').run(
      Buffer.from(jsonOf('large')),
      large.seq,
    );
    db.exec('ALTER TABLE event_contents DROP COLUMN uncompressed_size');
    downgradeToSchema2(db);
    db.pragma('user_version = 1');
  });
  // The check doesn't need the newest schema.
  expect(await new SqliteAdmin(dataDir).checkIntegrity(true)).toEqual([]);

  const after = await openWorld(dataDir);
  onTestFinished(() => after.close());
  const added = await after.event(endpoint, { body: jsonOf('new') });
  for (const [event, body] of [
    [old, jsonOf('old', 10)],
    [large, jsonOf('large')],
    [added, jsonOf('new')],
  ] as const) {
    const content = await after.store.events.content(event.seq);
    expect(content?.body.toString()).toBe(body);
  }
});
