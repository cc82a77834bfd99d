import { randomBytes, randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Endpoint, EventSummary } from '../../../../src/core/model.ts';
import type { Logger } from '../../../../src/core/runtime/runtime.ts';
import { ReadingThreads } from '../../../../src/store/sqlite/reader-thread/reader.ts';
import { blocksHolding } from '../../../../src/store/sqlite/search-index/gram-set.ts';
import { openSearchIndex } from '../../../../src/store/sqlite/search-index/search-index.ts';
import {
  type StartWorker,
  startWorker,
} from '../../../../src/store/sqlite/threads/start-worker.ts';
import { until } from '../../../fixtures/until.ts';
import { World } from '../../conformance/world.ts';
import { openStoreIn, strictLog, tempDir } from '../temp-store.ts';

/** More events than those that searches always scan. */
const EVENTS = 400;
const RARE = 7;

/** A store of many events, a few of which hold `needle`. */
class Haystack {
  readonly dataDir: string;
  readonly searchFile: string;
  #world: World | undefined;
  #endpoint: Endpoint | undefined;
  #needles: EventSummary[] = [];
  #added = 0;

  constructor(dataDir = join(tempDir(), 'data')) {
    this.dataDir = dataDir;
    this.searchFile = join(this.dataDir, 'search.db');
  }

  /** A closed copy in its own directory. */
  copy(): Haystack {
    const copy = new Haystack();
    cpSync(this.dataDir, copy.dataDir, { recursive: true });
    copy.#endpoint = this.#endpoint;
    copy.#needles = this.#needles;
    copy.#added = this.#added;
    return copy;
  }

  get world(): World {
    return this.#world as World;
  }

  get endpoint(): Endpoint {
    return this.#endpoint as Endpoint;
  }

  async open(log: Logger = strictLog(), start?: StartWorker): Promise<void> {
    const store = await openStoreIn(this.dataDir, log, start);
    this.#world = new World({ store, reopen: async () => store, close: () => store.close() });
    this.#endpoint ??= await this.#world.endpoint();
  }

  async close(): Promise<void> {
    await this.#world?.close();
    this.#world = undefined;
  }

  async add(): Promise<void> {
    const bodies = Array.from({ length: EVENTS }, (_, i) => {
      const isNeedle = i % Math.floor(EVENTS / RARE) === 0;
      return { body: `{"n":${this.#added + i},"is":"${isNeedle ? 'a needle' : 'hay'}"}` };
    });
    const events = await this.world.events(this.endpoint, bodies);
    this.#needles = [
      ...events.filter((_, i) => bodies[i]?.body.includes('needle')).reverse(),
      ...this.#needles,
    ];
    this.#added += EVENTS;
  }

  async find(): Promise<void> {
    expect(await this.world.listed(this.endpoint, { q: 'needle' })).toEqual(this.#needles);
    expect(await this.world.listed(this.endpoint, { q: 'no such' })).toEqual([]);
    expect(await this.world.listed(this.endpoint, { q: '{"n":17,' })).toHaveLength(1);
  }

  /** Searches until the index is built, and once after that. */
  async findUntilIndexed(): Promise<void> {
    await until('all is indexed', async () => {
      await this.find();
      return (await this.world.store.stats(this.world.now)).indexLag === 0;
    });
    await this.find();
  }

  /** The blocks that may contain a needle. */
  blocks(): { first: number; last: number }[] {
    return this.peek((db) =>
      db
        .prepare<unknown[], { first: number; last: number }>(
          'SELECT first, last FROM blocks WHERE last IN (SELECT rowid FROM grams(?)) ORDER BY last',
        )
        .all(blocksHolding([['needle']])),
    );
  }

  blocksInAll(): { first: number; last: number }[] {
    return this.peek((db) =>
      db
        .prepare<[], { first: number; last: number }>(
          'SELECT first, last FROM blocks ORDER BY last',
        )
        .all(),
    );
  }

  /** The needles in those blocks, newest first. */
  indexed(): number[] {
    const blocks = this.blocks();
    return this.needles.filter((seq) =>
      blocks.some(({ first, last }) => first <= seq && seq <= last),
    );
  }

  get needles(): number[] {
    return this.#needles.map(({ seq }) => seq);
  }

  peek<T>(look: (db: Database.Database) => T): T {
    const db = new Database(this.searchFile, { readonly: true });
    try {
      return look(db);
    } finally {
      db.close();
    }
  }
}

function emptyHaystack(): Haystack {
  const haystack = new Haystack();
  onTestFinished(() => haystack.close());
  return haystack;
}

let original: Haystack | undefined;

/** A closed haystack with all events indexed. */
function closedHaystack(): Haystack {
  const haystack = (original as Haystack).copy();
  onTestFinished(() => haystack.close());
  return haystack;
}

beforeAll(async () => {
  original = new Haystack(mkdtempSync(join(tmpdir(), 'hookrelay-store-')));
  await original.open();
  await original.add();
  await original.findUntilIndexed();
  await original.close();
});

afterAll(() => rmSync((original as Haystack).dataDir, { recursive: true }));

describe('whatever happens to the index, searches are right and it is complete again', () => {
  test('searches use it', async () => {
    const haystack = closedHaystack();
    expect(haystack.indexed()).toHaveLength(RARE + 1);
    // An index without needles hides all matches, which proves that searches use it.
    edit(haystack.searchFile, WITHOUT_NEEDLES);
    await haystack.open();
    expect(await haystack.world.listed(haystack.endpoint, { q: 'needle' })).toEqual([]);
  });

  test('kept over a restart, and new events are added', async () => {
    const haystack = closedHaystack();
    const before = statSync(haystack.searchFile).ino;
    await haystack.open();
    await haystack.find();
    await haystack.add();
    await haystack.findUntilIndexed();
    expect(statSync(haystack.searchFile).ino).toBe(before);
    expect(haystack.indexed()).toEqual(haystack.needles);
  });

  const damages: [string, (haystack: Haystack) => void][] = [
    ['deleted', ({ searchFile }) => rmSync(searchFile)],
    ['emptied', ({ searchFile }) => writeFileSync(searchFile, '')],
    ['overwritten with garbage', ({ searchFile }) => writeFileSync(searchFile, 'x'.repeat(9000))],
    [
      'cut in half',
      ({ searchFile }) => {
        const bytes = readFileSync(searchFile);
        writeFileSync(searchFile, bytes.subarray(0, bytes.length / 2));
      },
    ],
    [
      'of another database',
      ({ searchFile }) => edit(searchFile, `UPDATE state SET generation = 'other'`),
    ],
    ['in an older format', ({ searchFile }) => edit(searchFile, 'PRAGMA user_version = 0')],
    [
      'without its tables',
      ({ searchFile }) => edit(searchFile, 'DROP TABLE grams; DROP TABLE state'),
    ],
    [
      'behind',
      ({ searchFile }) =>
        edit(searchFile, 'DELETE FROM grams; DELETE FROM blocks; UPDATE state SET watermark = 0'),
    ],
  ];
  test.each(damages)('%s', async (_, damage) => {
    const haystack = closedHaystack();
    damage(haystack);
    await haystack.open();
    await haystack.findUntilIndexed();
    await haystack.add();
    await haystack.findUntilIndexed();
    expect(haystack.indexed()).toEqual(haystack.needles);
    await haystack.close();
    expect(haystack.peek((db) => db.pragma('integrity_check', { simple: true }))).toBe('ok');
  });

  test.each([
    // Opening fails; or it succeeds, and queries or additions fail.
    ['every table', "SELECT rootpage FROM sqlite_schema WHERE name = 'state'"],
    ['what the tables’ first pages point to', 'SELECT rootpage FROM sqlite_schema'],
  ])('broken inside: %s', async (_, wholePages) => {
    const haystack = closedHaystack();
    const whole = haystack.peek((db) => db.prepare<[], number>(wholePages).pluck().all());
    const bytes = readFileSync(haystack.searchFile);
    const pageBytes = bytes.readUInt16BE(16);
    const pages = bytes.length / pageBytes;
    expect(pages).toBeGreaterThan(whole.length + 2);
    for (let page = 2; page <= pages; page++) {
      if (!whole.includes(page)) bytes.fill(0xa5, (page - 1) * pageBytes, page * pageBytes);
    }
    writeFileSync(haystack.searchFile, bytes);
    await haystack.open(strictLog((message) => /indexer stopped|index is broken/.test(message)));
    await haystack.find();
    await haystack.add();
    await haystack.findUntilIndexed();
    expect(haystack.indexed()).toEqual(haystack.needles);
  });

  test('ahead of its database, which an older copy replaced', async () => {
    const haystack = closedHaystack();
    const older = haystack.copy();
    onTestFinished(() => older.close());
    await haystack.open();
    await haystack.add();
    await haystack.findUntilIndexed();
    await haystack.close();
    cpSync(haystack.searchFile, older.searchFile);
    await older.open();
    await older.add();
    await older.find();
    await older.findUntilIndexed();
    expect(older.indexed()).toEqual(older.needles);
  });

  /** The reader's thread alone, as when it starts faster than the indexer's. */
  function readerOf({ dataDir, searchFile }: Haystack): ReadingThreads {
    const file = join(dataDir, 'hookrelay.db');
    const reader = new ReadingThreads({
      data: { file, searchFile },
      startWorker,
      onBrokenIndex() {},
    });
    onTestFinished(() => reader.close());
    return reader;
  }

  test.each([
    ['of another database', "UPDATE state SET generation = 'other'"],
    ['in an older format', 'PRAGMA user_version = 0'],
  ])('an index %s is not used', async (_, change) => {
    const haystack = closedHaystack();
    edit(haystack.searchFile, `${WITHOUT_NEEDLES}; ${change}`);
    const reader = readerOf(haystack);
    const { key } = haystack.endpoint;
    const { total } = await reader.reads.events.list(
      { endpointKeys: [key] },
      { q: 'needle' },
      { offset: 0, limit: 1 },
    );
    expect(total).toBe(RARE + 1);
    expect((await reader.reads.store.stats(0)).indexLag).toBe(EVENTS);
  });

  test('a rebuilt index is used by readers that had the old one open', async () => {
    const haystack = closedHaystack();
    edit(haystack.searchFile, "UPDATE state SET generation = 'other'");
    const reader = readerOf(haystack);
    expect((await reader.reads.store.stats(0)).indexLag).toBe(EVENTS);
    const generation = generationOf(join(haystack.dataDir, 'hookrelay.db'));
    const index = openSearchIndex(haystack.searchFile, generation);
    index.prepare('UPDATE state SET watermark = ?').run(EVENTS);
    index.close();
    expect((await reader.reads.store.stats(0)).indexLag).toBe(0);
  });
});

/** Removes the grams of all blocks: the index then matches nothing. */
const WITHOUT_NEEDLES = 'DELETE FROM grams WHERE rowid IN (SELECT last FROM blocks)';

function generationOf(file: string): string {
  const db = new Database(file, { readonly: true });
  const read = db.prepare<[], string>("SELECT value FROM meta WHERE name = 'generation'").pluck();
  const generation = read.get() as string;
  db.close();
  return generation;
}

function edit(file: string, sql: string): void {
  const db = new Database(file);
  db.exec(sql);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

describe('bodies of every kind are found', () => {
  const mib = 1024 * 1024;
  const large = Buffer.concat([Buffer.alloc(mib, 'ab '), Buffer.from('needle at the end')]);
  const binary = Buffer.concat([
    Buffer.from([0xff, 0xfe, 0]),
    Buffer.from('a needle'),
    Buffer.of(0x80),
  ]);
  const bodies: [string, Buffer][] = [
    ['over 1 MiB', large],
    ['exactly 1 MiB', Buffer.concat([Buffer.alloc(mib - 6, 'ab '), Buffer.from('needle')])],
    ['over 1 MiB of JSON, escaped', Buffer.from(`{"p":"${'x'.repeat(mib)}","a":"need\\u006ce"}`)],
    ['binary', binary],
    ['with U+FFFD', Buffer.from('\ufffd needle')],
    ['NULs', Buffer.from('\0\0needle\0')],
  ];
  test('before they are indexed and after', async () => {
    const haystack = emptyHaystack();
    await haystack.open();
    await haystack.add();
    const { world, endpoint } = haystack;
    await world.events(await world.endpoint(), [{ body: large }, { body: binary }]);
    const events = await world.events(
      endpoint,
      bodies.map(([, body]) => ({ body })),
    );
    for (let i = 0; i < 2; i++) {
      const found = (await world.listed(endpoint, { q: 'needle' })).slice(0, events.length);
      expect(found).toEqual(events.toReversed());
      await world.indexed();
    }
  });

  test('bodies without grams are in separate blocks; neighbouring blocks have grams', async () => {
    const haystack = emptyHaystack();
    await haystack.open();
    await haystack.add();
    await haystack.world.indexed();
    const { world, endpoint } = haystack;
    const hay = { body: 'hay' };
    const noise = { body: randomBytes(mib / 2) };
    const file = { body: `{"file":"${randomBytes(32 * 1024).toString('base64')}"}` };
    const ids = { body: JSON.stringify(Array.from({ length: 1000 }, () => randomUUID())) };
    const bodies = [hay, noise, file, hay, ids, { body: large }, hay];
    const added = await world.events(endpoint, bodies);
    await world.indexed();
    const seq = added.map((event) => event.seq);
    expect(haystack.blocks().filter(({ last }) => last >= (seq[0] as number))).toEqual([
      { first: seq[1], last: seq[2] },
      { first: seq[5], last: seq[5] },
    ]);
    expect(haystack.blocksInAll().slice(-5)).toEqual([
      { first: seq[0], last: seq[0] },
      { first: seq[1], last: seq[2] },
      { first: seq[3], last: seq[4] },
      { first: seq[5], last: seq[5] },
      { first: seq[6], last: seq[6] },
    ]);
    expect(await world.listed(endpoint, { q: 'needle at the end' })).toEqual([added[5]]);
    expect(await world.listed(endpoint, { q: file.body.slice(20_000, 20_100) })).toEqual([
      added[2],
    ]);
  });

  test('a stop waits for a slice, not for all events to be indexed', async () => {
    const haystack = emptyHaystack();
    await haystack.open();
    await haystack.add();
    const { world, endpoint } = haystack;
    await world.indexed();
    const noise = Array.from({ length: 200 }, () => ({ body: randomBytes(8 * 1024) }));
    const last = (await world.events(endpoint, noise)).at(-1) as EventSummary;
    const indexedUpTo = () => haystack.blocksInAll().at(-1)?.last ?? 0;
    await until('a slice is indexed', () => indexedUpTo() > EVENTS);
    await haystack.close();
    expect(indexedUpTo()).toBeLessThan(last.seq);
    await haystack.open();
    await haystack.world.indexed();
    expect(indexedUpTo()).toBe(last.seq);
  });

  test('blocks have at most 64 events, and every event is in one block', async () => {
    const blocks = (original as Haystack).blocksInAll();
    const seqs = blocks.flatMap(({ first, last }) =>
      Array.from({ length: last - first + 1 }, (_, i) => first + i),
    );
    expect(seqs).toEqual(Array.from({ length: EVENTS }, (_, i) => i + 1));
    expect(Math.max(...blocks.map(({ first, last }) => last - first + 1))).toBe(64);
  });
});

describe('deletions', () => {
  test('are applied to the index, and their tombstones are deleted', async () => {
    const haystack = emptyHaystack();
    await haystack.open();
    await haystack.add();
    const { world, endpoint, dataDir } = haystack;
    await world.indexed();
    const before = haystack.blocksInAll().length;
    world.now += 1000;
    const kept = await world.event(endpoint, { body: 'another needle' });
    await world.store.upkeep.retireSlice({ before: world.now }, EVENTS - 1);
    // This event is a needle too.
    const [oldest] = await world.listed(endpoint, { q: '"n":399' });
    const main = new Database(join(dataDir, 'hookrelay.db'), { readonly: true });
    onTestFinished(() => {
      main.close();
    });
    const tombstones = main.prepare('SELECT count(*) FROM search_tombstones').pluck();
    await until('the tombstones are deleted', () => tombstones.get() === 0);
    await world.indexed();
    expect(before).toBeGreaterThan(6);
    // One event of the last full block remains, so the block stays.
    expect(haystack.blocksInAll()).toEqual([
      { first: expect.any(Number), last: oldest?.seq },
      { first: kept.seq, last: kept.seq },
    ]);
    expect(await world.listed(endpoint, { q: 'needle' })).toEqual([kept, oldest]);
    await world.store.upkeep.retireSlice({ before: world.now }, 10_000);
    await until('the other blocks are removed', () => haystack.blocksInAll().length === 1);
    expect(await world.listed(endpoint, { q: 'needle' })).toEqual([kept]);
    expect(haystack.peek((db) => db.prepare('SELECT count(*) FROM grams').pluck().get())).toBe(1);
  });

  test('without an index are not in the new one', async () => {
    const haystack = closedHaystack();
    rmSync(haystack.searchFile);
    await haystack.open();
    const { world, endpoint } = haystack;
    await world.store.endpoints.remove(endpoint.key, world.now);
    while ((await world.store.upkeep.purgeSlice(100)).more);
    const other = await world.endpoint();
    const event = await world.event(other, { body: 'needle' });
    await world.indexed();
    await until('the deleted events are removed', () => haystack.blocksInAll().length === 1);
    expect(haystack.blocksInAll()).toEqual([{ first: event.seq, last: event.seq }]);
    expect(await world.listed(other, { q: 'needle' })).toEqual([event]);
  });
});

test('a store without events has an empty index; the first event starts its thread', async () => {
  const haystack = emptyHaystack();
  const started: string[] = [];
  await haystack.open(strictLog(), (name, workerData) => {
    started.push(name);
    return startWorker(name, workerData);
  });
  expect(haystack.blocksInAll()).toEqual([]);
  await haystack.world.indexed();
  expect(started).not.toContain('index-worker');
  const { seq } = await haystack.world.event(haystack.endpoint);
  await until('the event is indexed', () => haystack.blocksInAll().length === 1);
  expect(haystack.blocksInAll()).toEqual([{ first: seq, last: seq }]);
  expect(started).toContain('index-worker');
});

test('a store that stops before that thread has started leaves no log of its index', async () => {
  const haystack = emptyHaystack();
  await haystack.open();
  const event = await haystack.world.event(haystack.endpoint, { body: 'needle' });
  expect(await haystack.world.listed(haystack.endpoint, { q: 'needle' })).toMatchObject([
    { id: event.id },
  ]);
  const logs = () => existsSync(`${haystack.searchFile}-wal`);
  expect(logs()).toBe(true);
  await haystack.close();
  expect(logs()).toBe(false);
});
