import { describe, expect, test } from 'vitest';
import type { CapturedRequest } from '../../../src/core/http/captured-request.ts';
import type { Endpoint, EventSummary } from '../../../src/core/model.ts';
import type { EventFilter } from '../../../src/store/contract/events.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { Random } from './random.ts';
import { holds } from './search-oracle.ts';
import { clearedWorlds, type OpenStore, sharedWorld, type World } from './world.ts';

/** Enough events for a backend to use its index, also with half of them. */
const CORPUS = 500;
const MAX_QUERY_POINTS = 256;
const STATUSES = ['delivered', 'dead_letter', 'failed'] as const;

/** Pieces of bodies and queries: overlaps, escapes, wildcards, anything but plain words. */
const PIECES: readonly (string | Buffer)[] = [
  ...['a', 'b', 'ab', 'ba', 'aab', 'abab', 'A', 'aB', 'x', 'e', '0', '1', '42', ' ', '  ', '\n'],
  ...['"', "'", '\\', '\\\\', '\\"', '\\n', '\\t', '\\/', '/', '\\u0061', '\\u00e9', '\\u00E9'],
  ...['\\u00', '\\x', '\\ud83d\\ude00', '\\ud83d', '\\u0000', '\\\\n', '\\\\u00e9', '\\u005c', 'u'],
  ...[
    'é',
    'e\u0301',
    'É',
    'ß',
    'ẞ',
    'İ',
    'ı',
    'K',
    '日本',
    '本',
    '日',
    '😀',
    '👩‍👩‍👧',
    '\u{10ffff}',
  ],
  ...['\ufffd', '\ufffe', '\u2028', '\0', '\0\0', '\x7f', '\x1b[31m', '\r\n', '\t', '\u00a0'],
  ...['%', '_', '*', '?', '-', '-x', ':', 'x:"y"', '(', ')', 'OR', ' AND ', 'NOT', 'NEAR(', '^'],
  ...['<b>', '</script>', '&amp;', '{', '}', '[', ']', '{"', '":', 'null', ';--', '$1', '\\1'],
  ...[[0xff], [0xfe], [0x80], [0xc3], [0xe6, 0x97], [0xed, 0xa0, 0xbd], [0xf0, 0x9f]].map((bytes) =>
    Buffer.from(bytes),
  ),
];

/** Makes a body large enough to be stored compressed, and keeps it valid JSON. */
const BLANKS = Buffer.alloc(20_000, ' ');

function randomBody(random: Random): Buffer {
  const body = randomSmallBody(random);
  return random.chance(0.05) ? Buffer.concat([BLANKS, body]) : body;
}

function randomSmallBody(random: Random): Buffer {
  const pieces = Array.from({ length: random.below(20) }, () => {
    const piece = random.pick(PIECES);
    return random.chance(0.3) ? Buffer.from(`w${random.below(400)}`) : Buffer.from(piece);
  });
  const text = Buffer.concat(pieces);
  switch (random.below(6)) {
    case 0: // Begins like JSON, and is none.
      return Buffer.concat([
        Buffer.from(random.pick(['{', '["', '"', ' \t\r\n{"a":"', '\ufeff{"a":"'])),
        text,
      ]);
    case 1: // JSON in JavaScript's form.
      return Buffer.from(JSON.stringify({ k: text.toString() }));
    case 2: // JSON with every character escaped.
      return Buffer.from(escaped(JSON.stringify([text.toString(), 'a/b'])));
    default:
      return text;
  }
}

/** The same JSON in ASCII, with `\/`. */
function escaped(json: string): string {
  return json.replaceAll('/', '\\/').replace(/[^\x20-\x7e]/g, inHex);
}

/** Bodies that contain a text in different ways. No other body contains it. */
const LANDMARKS: ((text: string) => Buffer)[] = [
  (text) => Buffer.from(`a ${text}!`),
  (text) => Buffer.concat([Buffer.of(0xff), Buffer.from(text), Buffer.of(0xc3)]),
  (text) => Buffer.from(`["${[...text].map(inHex).join('')}"]`),
  (text) => Buffer.from(`\ufffd${text}\0`),
];

const inHex = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A query that is in the corpus, almost in it, or made up. */
function randomQuery(random: Random, corpus: readonly Buffer[]): string {
  const made = Array.from({ length: 1 + random.below(4) }, () => String(random.pick(PIECES)));
  const points = random.chance(0.2) ? made : [...textOf(random.pick(corpus), random)];
  const start = random.below(Math.max(1, points.length - 1));
  const length = random.pick([1, 2, 3, 4, 5, 7, 10, 20, MAX_QUERY_POINTS]);
  const cut = points.slice(start, start + length);
  if (random.chance(0.15)) cut[random.below(cut.length)] = random.pick(['a', '"', '\0', 'é', '%']);
  // A query is text: invalid UTF-8 can't be searched, nor distinguished from U+FFFD.
  const query = cut.join('').replaceAll('\ufffd', '').toWellFormed().replaceAll('\ufffd', '');
  return query || 'ab';
}

function textOf(body: Buffer, random: Random): string {
  const text = body.toString();
  if (random.chance(0.5)) return text;
  try {
    return String((JSON.parse(text) as { k?: unknown }).k ?? text);
  } catch {
    return text;
  }
}

/** A world with many bodies, which remembers each event's body. */
class Library {
  readonly #world: World;
  readonly #random: Random;
  readonly endpoint: Endpoint;
  readonly neighbour: Endpoint;
  readonly #bodies = new Map<string, Buffer>();
  readonly #landmarks: string[] = [];

  constructor(world: World, random: Random, endpoints: [Endpoint, Endpoint]) {
    this.#world = world;
    this.#random = random;
    [this.endpoint, this.neighbour] = endpoints;
  }

  static async open(world: World, seed: number): Promise<Library> {
    const endpoint = await world.endpoint();
    await world.destination(endpoint);
    return new Library(world, new Random(seed), [endpoint, await world.endpoint()]);
  }

  /** Captures `count` random bodies between landmarks: the first and the last are easily lost. */
  async add(count: number): Promise<void> {
    const random = Array.from({ length: count }, () =>
      this.#request(
        this.#random.chance(0.85) ? this.endpoint : this.neighbour,
        randomBody(this.#random),
      ),
    );
    const requests = [...this.#newLandmarks(), ...random, ...this.#newLandmarks()];
    for (const { id, body } of requests) this.#bodies.set(id, body.copy());
    const terms = this.#world.terms();
    const { claimed } = await this.#world.store.events.appendBatch(requests, terms);
    await this.#world.store.queue.settle(
      claimed.map((claim) => {
        const outcome = this.#random.pick(['succeeded', 'dead', { retryInMs: 1e9 }] as const);
        return this.#world.settlement(claim, outcome);
      }),
      BREAKER,
    );
  }

  #newLandmarks(): CapturedRequest[] {
    return LANDMARKS.flatMap((bodyWith) => {
      const text = `landmark ${this.#landmarks.length};`;
      this.#landmarks.push(text);
      return [this.endpoint, this.neighbour].map((one) => this.#request(one, bodyWith(text)));
    });
  }

  #request(endpoint: Endpoint, body: Buffer): CapturedRequest {
    return this.#world.request(endpoint, {
      body,
      method: this.#random.pick(['GET', 'POST']),
      receivedAt: this.#world.now + this.#random.below(1000),
    });
  }

  /** Compares searches, for landmarks and random queries, with a check of every body. */
  async check(stage: string, queries: number): Promise<void> {
    const { store, now } = this.#world;
    const all = await this.#world.listed(this.endpoint);
    const corpus = all.map(({ id }) => this.#bodies.get(id) as Buffer);
    for (const text of this.#landmarks) {
      const events = all.filter((_, at) => holds(corpus[at] as Buffer, text));
      const page = await store.events.list(
        { endpointKeys: [this.endpoint.key] },
        { q: text },
        { offset: 0, limit: 2 },
      );
      expect(page, `${stage}: ${text}`).toEqual({ events, total: events.length });
    }
    for (let i = 0; i < queries; i++) {
      const q = randomQuery(this.#random, corpus);
      const filter: EventFilter = {
        q,
        ...(this.#random.chance(0.2) && { method: 'GET' }),
        ...(this.#random.chance(0.2) && { status: this.#random.pick(STATUSES) }),
        ...(this.#random.chance(0.2) && { from: now + this.#random.below(900) }),
        ...(this.#random.chance(0.2) && { to: now + 100 + this.#random.below(900) }),
      };
      const found = all.filter((event, at) => {
        const { method, status, from, to } = filter;
        return (
          holds(corpus[at] as Buffer, q) &&
          (method === undefined || event.method === method) &&
          (status === undefined || event.status === status) &&
          (from === undefined || event.receivedAt >= from) &&
          (to === undefined || event.receivedAt < to)
        );
      });
      const limit = this.#random.pick([1, 10, 1000]);
      const offset = this.#random.chance(0.3) ? this.#random.below(found.length + 2) : 0;
      const page = await store.events.list({ endpointKeys: [this.endpoint.key] }, filter, {
        offset,
        limit,
      });
      const expected = found.slice(offset, offset + limit);
      const what = `${stage}: ${JSON.stringify({ ...filter, offset, limit })}`;
      expect(page.total, what).toBe(found.length);
      expect(page.events, what).toEqual(expected);
      if (i % 5 > 0) continue;
      expect(await store.replays.count(this.endpoint.key, filter), what).toBe(found.length);
    }
  }
}

export function searchConformance(open: OpenStore): void {
  const shared = sharedWorld(open);

  async function found(
    bodies: readonly (string | Buffer)[],
    q: string,
    more: EventFilter = {},
  ): Promise<number[]> {
    const endpoint = await shared().endpoint();
    const events = await shared().events(
      endpoint,
      bodies.map((body) => ({ body })),
    );
    const listed = await shared().listed(endpoint, { q, ...more });
    const indexOf = (event: EventSummary) => events.findIndex(({ id }) => id === event.id);
    return listed.map(indexOf).reverse();
  }

  describe('finds text literally and case-sensitively', () => {
    const cases: [string, string[], number[]][] = [
      ['abc', ['xabcx', 'aBc', 'ab c', 'abc'], [0, 3]],
      ['%', ['100%', '100'], [0]],
      ['_', ['a_b', 'ab'], [0]],
      ['*', ['a*', 'ab'], [0]],
      ['"abc', ['"abc"', 'abc'], [0]],
      ['foo OR', ['foo OR bar', 'foo', 'bar'], [0]],
      ['x:"y"', ['{x:"y"}', 'x:y', '{"x":"y"}'], [0]],
      ['-x', ['a-x', 'ax', 'a'], [0]],
      ['日本', ['在日本です', '日 本', '本日'], [0]],
      ['é', ['é', 'e\u0301', 'É', 'e'], [0]],
      ['😀', ['a😀b', '😁'], [0]],
      ['a\0b', ['a\0b', 'ab', 'a'], [0]],
      ['İ', ['İ', 'i', 'I', 'ı'], [0]],
    ];
    test.each(cases)('%j', async (q, bodies, expected) => {
      expect(await found(bodies, q)).toEqual(expected);
    });
  });

  describe('finds text in any case, by the folding of Unicode', () => {
    const cases: [string, string[], number[]][] = [
      ['Paid', ['x PAID', 'paid', 'p aid', '{"a":"\\u0050AID"}'], [0, 1, 3]],
      ['a.c', ['A.C', 'abc'], [0]],
      ['[x](y)\\', ['[X](Y)\\', 'x'], [0]],
      ['kiss', ['KI\u017fS', '\u212aiss', 'kis'], [0, 1]],
      ['É', ['é', 'e'], [0]],
      ['СЛОВО', ['слово', 'слов'], [0]],
      ['ς', ['Σ', 'σ', 's'], [0, 1]],
      ['日本', ['日本', '本'], [0]],
      ['ß', ['ẞ', 'ss'], [0]],
      ['b', ['B', 'a'], [0]],
    ];
    test.each(cases)('%j', async (q, bodies, expected) => {
      expect(await found(bodies, q, { ignoreCase: true })).toEqual(expected);
      expect(await found(bodies, q)).not.toEqual([0, 1, 2, 3]);
    });

    test('among many events, by the index too, and with a rule', async () => {
      const endpoint = await shared().endpoint();
      const bodies = Array.from({ length: 300 }, (_, i) => `{"n":${i},"s":"Order-${i}"}`);
      await shared().events(
        endpoint,
        bodies.map((body) => ({ body })),
      );
      const look = async (filter: EventFilter) =>
        (await shared().listed(endpoint, { ...filter, ignoreCase: true })).length;
      for (const step of ['scanned', 'indexed']) {
        if (step === 'indexed') await shared().indexed();
        expect(await look({ q: 'oRDER-29' }), step).toBe(11);
        expect(await look({ q: 'ORDER' }), step).toBe(300);
        expect(await look({ q: 'ORDER-299x' }), step).toBe(0);
        expect(await look({ q: 'ORDER-2', where: 'body.n<100' }), step).toBe(11);
        expect(
          await shared().store.replays.count(endpoint.key, { q: 'oRDER-29', ignoreCase: true }),
        ).toBe(11);
      }
    });
  });

  describe('finds decoded JSON escapes, and the escapes themselves', () => {
    const body = '{"a":"caf\\u00e9 \\ud83d\\ude00 http:\\/\\/x\\ty \\"q\\" \\\\n"}';
    const finds = [
      'café',
      '😀',
      'http://x',
      'x\ty',
      '"q"',
      '\\n"',
      'caf\\u00e9',
      '\\/\\/',
      '\\\\n',
    ];
    test.each(finds)('%j', async (q) => {
      expect(await found([body, '{"a":"other"}'], q)).toEqual([0]);
    });

    test.each(['caf\\u00E9', '\n', 'http:/x', '\\u0022'])('but not %j', async (q) => {
      expect(await found([body], q)).toEqual([]);
    });

    test('but only in JSON', async () => {
      const bodies = ['a\\u00e9', ' \n["\\u00e9"]', '"\\u00e9"', 'x={"a":"\\u00e9"}'];
      expect(await found(bodies, 'é')).toEqual([1, 2]);
    });
  });

  test('finds across the border of an escape and its neighbours', async () => {
    expect(await found(['{"a":"x\\u0061b"}', '{"a":"x\\u0061"}'], 'xab')).toEqual([0]);
    expect(await found(['["\\ud83d\\ude00\\ud83d\\ude00"]'], '😀😀')).toEqual([0]);
  });

  test('finds text beside bytes that are not text', async () => {
    const bytes = Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from('needle'), Buffer.of(0xc3)]);
    expect(await found([bytes, Buffer.of(0xff, 0xfe)], 'needle')).toEqual([0]);
  });

  test('does not match a character of which a body has only some bytes', async () => {
    // The second body has only the first two bytes of 本.
    const cut = Buffer.from('日本').subarray(0, 5);
    expect(await found(['日本', cut], '本')).toEqual([0]);
    expect(await found(['日本', cut], '日')).toEqual([0, 1]);
  });

  test('invalid bytes never match U+FFFD', async () => {
    const plain = Buffer.of(0x61, 0xff);
    const json = Buffer.concat([Buffer.from('{"a":"\\n'), Buffer.of(0xff), Buffer.from('"}')]);
    expect(await found(['\ufffd', plain, json], '\ufffd')).toEqual([0]);
  });

  test('finds the longest allowed query', async () => {
    const q = '😀é'.repeat(MAX_QUERY_POINTS / 2);
    expect(await found([`x${q}x`, q.slice(2), `${q.slice(2)}😀`], q)).toEqual([0]);
  });

  findEveryBody(open, { seed: 3, corpus: CORPUS / 4, queries: 10 });
}

export const searchTries = (open: OpenStore): void =>
  findEveryBody(open, { seed: 1, corpus: CORPUS, queries: 30 });

interface Sample {
  seed: number;
  corpus: number;
  /** Random queries at each stage. */
  queries: number;
}

function findEveryBody(open: OpenStore, { seed, corpus, queries }: Sample): void {
  test(`finds the same as a check of every body, at every stage (seed ${seed})`, async () => {
    const world = await clearedWorlds(open)();
    const library = await Library.open(world, seed);
    const check = (stage: string) => library.check(stage, queries);
    await library.add(Math.ceil(corpus / 2));
    await check('nothing indexed');
    await world.indexed();
    await check('all indexed');
    await library.add(Math.ceil(corpus / 2));
    await check('half indexed');
    await world.indexed();
    await check('all indexed again');
    await world.store.upkeep.retireSlice({ before: world.now + 200 }, corpus);
    await check('after deletions');
    await library.add(20);
    await world.indexed();
    await check('after deletions, indexed');
    await world.reopen();
    await check('after a restart');
    await world.indexed();
    await check('after a restart, indexed');
  });
}
