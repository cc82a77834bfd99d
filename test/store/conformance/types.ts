import { describe, expect, test } from 'vitest';
import { INTERNAL_USER } from '../../../src/core/channels/channel.ts';
import type { Endpoint, EventSummary } from '../../../src/core/model.ts';
import { NOT_CHECKED, type VerificationState } from '../../../src/core/proof/verification.ts';
import type {
  EventsToLearn,
  Learned,
  LearnedType,
  LearningLimits,
  StoredType,
  TypeStore,
} from '../../../src/store/contract/types.ts';
import { MANY } from '../../fixtures/many.ts';
import { BY_ID, STRIPE } from './proof.ts';
import { clearedWorlds, type OpenStore, only, type World } from './world.ts';

type NewType = Learned['added'][number];

const KiB = 1024;
const LIMITS: LearningLimits = { most: MANY, bytes: 64 * KiB * KiB, largest: 256 * KiB };
/** Most types of an endpoint, where a test doesn't count them. */
const MOST = 500;
const SHAPE = Buffer.from([0, 255, 10, 13, 34]);

function typeOf(endpoint: Endpoint, type: string, patch: Partial<NewType> = {}): NewType {
  const { key: endpointKey } = endpoint;
  const times = { count: 3, firstAt: 1_000, lastAt: 2_000 };
  return { endpointKey, type, provider: 'stripe', ...times, shape: SHAPE, ...patch };
}

/** Comparable types: some backends return other byte arrays. */
const comparable = (types: readonly StoredType[]) =>
  types.map((type) => ({ ...type, shape: type.shape && Buffer.from(type.shape) }));

const textOf = (events: EventsToLearn['events']) =>
  events.map(({ body }) => Buffer.from(body).toString());

/** The number of the last event, after which a test's own events come. */
const lastEvent = async (world: World) => (await world.store.live.lastSequences()).eventSeq;

async function save(world: World, learned: Partial<Learned>, most = MOST): Promise<boolean> {
  return world.store.types.save({ added: [], changed: [], ...learned }, most);
}

/** Saves types of one endpoint and returns them in the same order. */
async function saved(
  world: World,
  endpoint: Endpoint,
  patches: readonly (Partial<NewType> & { type: string })[],
): Promise<StoredType[]> {
  const added = patches.map(({ type, ...patch }) => typeOf(endpoint, type, patch));
  expect(await save(world, { added })).toBe(true);
  return world.store.types.findMany(added);
}

const listed = (world: World, endpoint: Endpoint, limit = MANY, offset = 0) =>
  world.store.types.list(endpoint.key, { offset, limit });

const namesOf = async (world: World, endpoint: Endpoint) =>
  (await listed(world, endpoint)).types.map(({ type }) => type);

function withoutShape({ shape: _, ...type }: StoredType): LearnedType {
  return type;
}

async function allAfter(types: TypeStore, key: number, limit: number): Promise<StoredType[]> {
  const all: StoredType[] = [];
  for (;;) {
    const page = await types.after(all.at(-1)?.key ?? key, limit);
    expect(page.length).toBeLessThanOrEqual(limit);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

/** The first save in a database whose events came before types were learned. */
export async function learnsFromTheOldest(
  world: World,
  endpoint: Endpoint,
  captured: readonly EventSummary[],
): Promise<void> {
  const { types } = world.store;
  const before = await types.learnedTo();
  expect(before).toBe(0);
  const { events, scannedTo: after } = await types.toLearn(before, LIMITS);
  expect(events.map(({ seq }) => seq)).toEqual(captured.map(({ seq }) => seq));
  const added = [typeOf(endpoint, 'a')];
  expect(await save(world, { cursor: { before, after }, added })).toBe(true);
  expect(await types.learnedTo()).toBe(after);
  expect((await listed(world, endpoint)).total).toBe(1);
}

export function typeConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);

  describe('events to learn from', () => {
    eventConformance(begin);
  });

  test('types are kept with their shapes, also after a restart', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    const event = await world.event(endpoint);
    expect(await world.store.types.learnedTo()).toBe(0);
    const added = [
      typeOf(endpoint, 'invoice.paid'),
      typeOf(endpoint, '', { provider: null, shape: null, count: 2 ** 40 }),
    ];
    expect(await save(world, { cursor: { before: 0, after: event.seq }, added })).toBe(true);
    const check = async () => {
      const { types } = world.store;
      const found = await types.findMany(added);
      expect(comparable(found)).toEqual(
        added.map((type) => ({ ...type, key: expect.any(Number), version: 1 })),
      );
      expect(await types.learnedTo()).toBe(event.seq);
      const one = await types.find(endpoint.key, 'invoice.paid');
      expect(comparable(one ? [one] : [])).toEqual(comparable(found.slice(0, 1)));
      expect(comparable(await types.after(0, 10))).toEqual(comparable(found));
      expect(await types.find(endpoint.key, 'invoice')).toBeNull();
    };
    await check();
    await world.reopen();
    await check();
  });

  test('they are listed by the last sight, page by page, without other endpoints’', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    const other = await world.endpoint({ userId: endpoint.userId });
    const all = await saved(world, endpoint, [
      { type: 'a', lastAt: 5 },
      { type: 'b', lastAt: 9 },
      { type: 'c', lastAt: 5 },
      { type: 'd', lastAt: 1, shape: null },
    ]);
    await saved(world, other, [{ type: 'a' }]);
    const [a, b, c, d] = all.map(withoutShape);
    expect(await listed(world, endpoint)).toEqual({ types: [b, c, a, d], total: 4 });
    expect(await listed(world, endpoint, 2, 1)).toEqual({ types: [c, a], total: 4 });
    expect(await listed(world, endpoint, 2, 4)).toEqual({ types: [], total: 4 });
    expect(await namesOf(world, other)).toEqual(['a']);
  });

  test('a change replaces a whole type and counts its versions', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    const [a, b] = (await saved(world, endpoint, [{ type: 'a' }, { type: 'b' }])) as [
      StoredType,
      StoredType,
    ];
    const changed = { ...a, provider: null, count: 9, firstAt: 1, lastAt: 10, shape: null };
    const added = [typeOf(endpoint, 'c')];
    expect(await save(world, { changed: [changed], added })).toBe(true);
    const { types } = world.store;
    expect(await types.findMany([a, b])).toEqual([{ ...changed, version: 2 }, b]);
    expect(await save(world, { changed: [{ ...changed, version: 2, shape: SHAPE }] })).toBe(true);
    expect(comparable(await types.findMany([a]))).toEqual([
      { ...changed, version: 3, shape: SHAPE },
    ]);
    expect(await namesOf(world, endpoint)).toEqual(['c', 'b', 'a']);
  });

  describe('what is based on', () => {
    const refused = async (
      stale: (type: StoredType, position: number) => Partial<Learned>,
    ): Promise<void> => {
      const world = await begin();
      const { types } = world.store;
      const endpoint = await world.endpoint();
      const type = only(await saved(world, endpoint, [{ type: 'a' }]));
      const position = await types.learnedTo();
      const before = await listed(world, endpoint);
      const good = {
        cursor: { before: position, after: position + 5 },
        added: [typeOf(endpoint, 'new')],
        changed: [{ ...type, count: 100 }],
      };
      expect(await save(world, { ...good, ...stale(type, position) })).toBe(false);
      expect(await listed(world, endpoint)).toEqual(before);
      expect(await types.learnedTo()).toBe(position);
      expect(await save(world, good)).toBe(true);
      expect(await types.learnedTo()).toBe(position + 5);
      expect((await listed(world, endpoint)).total).toBe(2);
    };
    test('an older cursor is refused', () =>
      refused((_, position) => ({ cursor: { before: position - 1, after: position + 9 } })));
    test('a newer cursor is refused', () =>
      refused((_, position) => ({ cursor: { before: position + 1, after: position + 9 } })));
    test('another version of a type is refused', () =>
      refused((type) => ({ changed: [{ ...type, version: type.version + 1, count: 9 }] })));
    test('a type that is gone is refused', () =>
      refused((type) => ({ changed: [type, { ...type, key: type.key + 1000 }] })));
    test('the absence of a type that exists is refused', () =>
      refused(({ key: _, version: _version, ...type }) => ({ added: [type], changed: [] })));
  });

  test('of learners at the same time, one saves', async () => {
    const world = await begin();
    const { types } = world.store;
    const endpoint = await world.endpoint();
    const type = only(await saved(world, endpoint, [{ type: 'a', count: 1 }]));
    for (let round = 1; round <= 10; round++) {
      const before = await types.learnedTo();
      const [basis] = await types.findMany([type]);
      if (!basis) throw new Error('gone');
      const tries = Array.from({ length: 6 }, (_, i) =>
        save(world, {
          cursor: { before, after: before + 1 },
          added: [typeOf(endpoint, `new ${round}`, { provider: String(i) })],
          changed: [{ ...basis, count: basis.count + 1 }],
        }),
      );
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
      expect(await types.learnedTo()).toBe(before + 1);
      expect(await types.find(endpoint.key, 'a')).toMatchObject({
        count: 1 + round,
        version: 1 + round,
      });
    }
    expect((await listed(world, endpoint)).total).toBe(11);
    // Without the cursor, versions decide.
    const [basis] = await types.findMany([type]);
    if (!basis) throw new Error('gone');
    const tries = [1, 2, 3].map((count) => save(world, { changed: [{ ...basis, count }] }));
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
  });

  test('an endpoint has at most so many types: further ones are left out', async () => {
    const world = await begin();
    const { types } = world.store;
    const endpoint = await world.endpoint();
    const other = await world.endpoint();
    const named = (names: readonly string[], of = endpoint) =>
      names.map((name) => typeOf(of, name));
    expect(await save(world, { added: named(['a', 'b']) }, 3)).toBe(true);
    const before = await types.learnedTo();
    const cursor = { before, after: before + 1 };
    const added = [...named(['c', 'd']), ...named(['e', 'f', 'g'], other), ...named(['h'])];
    expect(await save(world, { cursor, added }, 3)).toBe(true);
    expect(await types.learnedTo()).toBe(before + 1);
    expect((await namesOf(world, endpoint)).sort()).toEqual(['a', 'b', 'c']);
    expect((await namesOf(world, other)).sort()).toEqual(['e', 'f', 'g']);
    expect(await save(world, { added: named(['i']) }, 3)).toBe(true);
    expect((await listed(world, endpoint)).total).toBe(3);
  });

  test('names may have any characters', async () => {
    const world = await begin();
    const { types } = world.store;
    const endpoint = await world.endpoint();
    const names = ['', ' ', 'Ä/é?', '😀', 'a\n"\'\\%_', 'é'.repeat(100), 'A', 'a'];
    await saved(
      world,
      endpoint,
      names.map((type) => ({ type })),
    );
    expect((await namesOf(world, endpoint)).sort()).toEqual([...names].sort());
    for (const name of names) {
      expect(await types.find(endpoint.key, name)).toMatchObject({ type: name });
    }
  });

  test('names that no backend can hold are found by what they were asked for', async () => {
    const world = await begin();
    const { types } = world.store;
    const endpoint = await world.endpoint();
    const odd = ['a\0b', 'half \ud83d'];
    const found = await saved(
      world,
      endpoint,
      odd.map((type) => ({ type })),
    );
    expect(found.map(({ type }) => type)).toEqual(odd);
    expect((await namesOf(world, endpoint)).sort()).toEqual(['a\ufffdb', 'half \ufffd']);
    // Of names that become one, the first counts.
    const twins = ['x\0', 'x\ufffd', 'x\ud83d'].map((type, i) =>
      typeOf(endpoint, type, { count: i + 1 }),
    );
    expect(await save(world, { added: twins })).toBe(true);
    expect(await types.findMany(twins)).toMatchObject(
      twins.map(({ type }) => ({ type, count: 1 })),
    );
    expect(await save(world, { added: [typeOf(endpoint, 'x\0')] })).toBe(false);
  });

  test('many types are read at once, and page by page by their keys', async () => {
    const world = await begin();
    const { types } = world.store;
    const endpoints = [await world.endpoint(), await world.endpoint()];
    const [first] = await types.after(0, MANY);
    expect(first).toBeUndefined();
    const shape = Buffer.alloc(64 * KiB, 'é');
    const added = endpoints.flatMap((endpoint) =>
      Array.from({ length: 75 }, (_, i) => typeOf(endpoint, `type ${i}`, { shape, count: i })),
    );
    expect(await save(world, { added })).toBe(true);
    const missing = { endpointKey: endpoints[0]?.key ?? 0, type: 'none' };
    const found = await types.findMany([...added, missing]);
    expect(found.map(({ type, count }) => [type, count])).toEqual(
      added.map(({ type, count }) => [type, count]),
    );
    expect(found.every((type) => type.shape && shape.equals(type.shape))).toBe(true);
    const inOrder = found.toSorted((a, b) => a.key - b.key);
    for (const limit of [1, 64, 149, MANY]) {
      expect((await allAfter(types, 0, limit)).map(({ key }) => key)).toEqual(
        inOrder.map(({ key }) => key),
      );
    }
    expect(await types.findMany([])).toEqual([]);
  });

  test('says which events are gone', async () => {
    const world = await begin();
    const { types } = world.store;
    const endpoint = await world.endpoint();
    const [a, b, c] = (await world.events(endpoint, [{}, {}, {}])) as [
      EventSummary,
      EventSummary,
      EventSummary,
    ];
    await world.store.events.remove(endpoint.key, b.id);
    expect(await types.gone([c.seq, b.seq, a.seq])).toEqual(new Set([b.seq]));
    expect(await types.gone([])).toEqual(new Set());
    const many = Array.from({ length: 5000 }, (_, i) => c.seq + 1 + i);
    expect((await types.gone([a.seq, ...many, c.seq])).size).toBe(5000);
    world.now += 1000;
    while ((await world.store.upkeep.retireSlice({ before: world.now }, 10)).more);
    expect(await types.gone([a.seq, c.seq])).toEqual(new Set([a.seq, c.seq]));
  });

  test('learning again forgets every type and begins at the oldest event', async () => {
    const world = await begin();
    const { types } = world.store;
    const endpoint = await world.endpoint();
    const event = await world.event(endpoint, { body: '{}' });
    const cursor = { before: 0, after: event.seq };
    const added = [typeOf(endpoint, 'a'), typeOf(endpoint, 'b')];
    const first = { ...cursor, before: await types.learnedTo() };
    expect(await save(world, { cursor: first, added })).toBe(true);
    const basis = await types.findMany(added);
    await types.relearn();
    expect(await types.learnedTo()).toBe(0);
    expect(await types.findMany(added)).toEqual([]);
    expect(await listed(world, endpoint)).toEqual({ types: [], total: 0 });
    // What was under way is refused.
    expect(await save(world, { cursor: { before: event.seq, after: event.seq + 1 } })).toBe(false);
    expect(await save(world, { changed: basis })).toBe(false);
    expect((await types.toLearn(0, LIMITS)).events.map(({ seq }) => seq)).toEqual([event.seq]);
    expect(await save(world, { cursor, added })).toBe(true);
    const again = await types.findMany(added);
    expect(again.map(({ version }) => version)).toEqual([1, 1]);
    const keys = basis.map(({ key }) => key);
    expect(again.filter(({ key }) => keys.includes(key))).toEqual([]);
  });

  test('they go with their endpoint: hidden at once, deleted slice by slice', async () => {
    const world = await begin();
    const { types, endpoints, upkeep } = world.store;
    const endpoint = await world.endpoint();
    const other = await world.endpoint();
    const names = Array.from({ length: 250 }, (_, i) => ({ type: String(i) }));
    const all = await saved(world, endpoint, names);
    await saved(world, other, [{ type: '0' }]);
    await endpoints.remove(endpoint.key, world.now);
    expect(await listed(world, endpoint)).toEqual({ types: [], total: 0 });
    expect(await types.find(endpoint.key, '0')).toBeNull();
    // A learner that has read events before the removal adds nothing, and goes on.
    const before = await types.learnedTo();
    const added = [typeOf(endpoint, 'late'), typeOf(other, 'late')];
    const cursor = { before, after: before + 1 };
    expect(await save(world, { cursor, added })).toBe(true);
    expect((await types.findMany(added)).map(({ endpointKey }) => endpointKey)).toEqual([
      other.key,
    ]);
    let left = all.length;
    for (let slices = 0; left > 0; slices++) {
      expect(slices).toBeLessThan(10);
      expect(await upkeep.purgeSlice(1000)).toMatchObject({ more: true });
      const now = (await types.findMany(all)).length;
      expect(left - now).toBeLessThanOrEqual(100);
      left = now;
    }
    while ((await upkeep.purgeSlice(1000)).more);
    expect(await save(world, { changed: all.slice(0, 1) })).toBe(false);
    expect(await save(world, { added: [typeOf(endpoint, 'later')] })).toBe(true);
    expect(await types.findMany([typeOf(endpoint, 'later')])).toEqual([]);
    expect(await namesOf(world, other)).toHaveLength(2);
  });
}

/** The suite of `TypeStore.toLearn`. */
function eventConformance(begin: () => Promise<World>): void {
  test('come in order, with their contents', async () => {
    const world = await begin();
    const { types } = world.store;
    const after = await lastEvent(world);
    const [one, two] = [await world.endpoint(), await world.endpoint()];
    const bytes = Buffer.from([0, 255, 1, 128]);
    const named = { provider: 'github', eventType: 'push', contentType: 'application/json' };
    const first = await world.event(one, { body: bytes, ...named });
    world.now += 1000;
    const second = await world.event(two, { body: '' });
    const third = await world.event(one, { body: '{"a":1}' });
    const learned = ({ seq, id, receivedAt }: EventSummary, { key, userId }: Endpoint) => ({
      ...{ seq, id, endpointKey: key, userId, receivedAt },
      ...{ provider: null, eventType: null, contentType: null },
    });
    const { events, scannedTo } = await types.toLearn(after, LIMITS);
    expect(events.map(({ body: _, ...event }) => event)).toEqual([
      { ...learned(first, one), ...named },
      learned(second, two),
      learned(third, one),
    ]);
    expect(events.map(({ body }) => Buffer.from(body))).toEqual(
      [bytes, '', '{"a":1}'].map((body) => Buffer.from(body as string)),
    );
    expect(scannedTo).toBe(third.seq);
    expect(await types.toLearn(scannedTo, LIMITS)).toEqual({ events: [], scannedTo });
    const rest = await types.toLearn(first.seq, LIMITS);
    expect(rest.events.map(({ seq }) => seq)).toEqual([second.seq, third.seq]);
  });

  test('share one piece of memory', async () => {
    const world = await begin();
    const after = await lastEvent(world);
    const endpoint = await world.endpoint();
    // Stored as it came, compressed, too large, and empty.
    const bodies = ['{"a":1}', `[${'"text",'.repeat(9000)}1]`, '', '{"b":2}'];
    await world.events(
      endpoint,
      bodies.map((body) => ({ body })),
    );
    const { events } = await world.store.types.toLearn(after, LIMITS);
    expect(textOf(events)).toEqual(bodies);
    const memory = new Set(events.map(({ body }) => body.buffer));
    expect(memory.size).toBe(1);
    expect(only([...memory]).byteLength).toBe(bodies.join('').length);
  });

  describe('are only those whose sender is proven, where a source is set:', () => {
    const states: readonly VerificationState[] = [
      'verified',
      'authenticated',
      'failed',
      'unverified',
    ];
    const capture = async (world: World, endpoint: Endpoint) => {
      for (const state of states) {
        const verification = { ...NOT_CHECKED, state, provider: 'stripe' };
        const verdict = await world.verdict(endpoint, { verification });
        await world.event(endpoint, { verdict, body: state });
      }
    };
    const learned = async (world: World, after: number) =>
      textOf((await world.store.types.toLearn(after, LIMITS)).events);

    test('verified and authenticated ones', async () => {
      const world = await begin();
      const after = await lastEvent(world);
      const endpoint = await world.endpoint({ source: STRIPE });
      await capture(world, endpoint);
      const last = await lastEvent(world);
      expect(await learned(world, after)).toEqual(['verified', 'authenticated']);
      expect((await world.store.types.toLearn(after, LIMITS)).scannedTo).toBe(last);
      // What had failed doesn't count either when the source is gone.
      await world.store.endpoints.update(endpoint.key, { source: null });
      expect(await learned(world, after)).toEqual(['verified', 'authenticated', 'unverified']);
    });

    test('not those from before the source', async () => {
      const world = await begin();
      const after = await lastEvent(world);
      const endpoint = await world.endpoint();
      await world.event(endpoint, { body: 'before' });
      expect(await learned(world, after)).toEqual(['before']);
      await world.store.endpoints.update(endpoint.key, { source: STRIPE });
      expect(await learned(world, after)).toEqual([]);
    });
  });

  test('are no duplicates and no edited copies', async () => {
    const world = await begin();
    const after = await lastEvent(world);
    const endpoint = await world.endpoint({ dedupe: BY_ID });
    const verdict = await world.verdict(endpoint, { once: { key: 'k', body: 'b' } });
    const first = await world.event(endpoint, { verdict, body: '1' });
    expect(await world.event(endpoint, { verdict, body: '2' })).toMatchObject({
      duplicateOf: first.id,
    });
    const plain = await world.verdict(endpoint);
    await world.event(endpoint, { verdict: plain, body: '3', editedFrom: first.id });
    const last = await world.event(endpoint, { verdict: plain, body: '4' });
    const { events, scannedTo } = await world.store.types.toLearn(after, LIMITS);
    expect(textOf(events)).toEqual(['1', '4']);
    expect(scannedTo).toBe(last.seq);
  });

  test('are not those of deleted endpoints, and not hookrelay’s own', async () => {
    const world = await begin();
    const { accounts, endpoints, events, types } = world.store;
    const after = await lastEvent(world);
    const { id: userId, ...account } = INTERNAL_USER;
    await accounts.createUser({ id: userId, ...account, createdAt: world.now });
    const internal = await world.endpoint({ userId });
    await world.event(internal, { body: 'internal' });
    const deleted = await world.endpoint();
    await world.event(deleted, { body: 'of a deleted endpoint' });
    await endpoints.remove(deleted.key, world.now);
    const endpoint = await world.endpoint();
    const removed = await world.event(endpoint, { body: 'deleted' });
    await events.remove(endpoint.key, removed.id);
    const last = await world.event(endpoint, { body: 'here' });
    const found = await types.toLearn(after, LIMITS);
    expect(textOf(found.events)).toEqual(['here']);
    expect(found.scannedTo).toBe(last.seq);
  });

  describe('stay within limits:', () => {
    const ten = async (world: World, bodies: readonly string[]) => {
      const after = await lastEvent(world);
      const endpoint = await world.endpoint();
      const events = await world.events(
        endpoint,
        bodies.map((body) => ({ body })),
      );
      return { after, endpoint, seqs: events.map(({ seq }) => seq) };
    };
    /** Reads to the end, as a learner does. */
    const readAll = async (world: World, after: number, limits: Partial<LearningLimits>) => {
      const pages: string[][] = [];
      for (let at = after; ; ) {
        const { events, scannedTo } = await world.store.types.toLearn(at, { ...LIMITS, ...limits });
        if (scannedTo === at) return pages;
        pages.push(textOf(events));
        at = scannedTo;
      }
    };

    test('rows, also those that teach nothing', async () => {
      const world = await begin();
      const { after, endpoint, seqs } = await ten(world, [...'0123456']);
      expect(await readAll(world, after, { most: 3 })).toEqual([[...'012'], [...'345'], [...'6']]);
      const page = await world.store.types.toLearn(after, { ...LIMITS, most: 3 });
      expect(page.scannedTo).toBe(seqs[2]);
      await world.store.endpoints.update(endpoint.key, { source: STRIPE });
      expect(await readAll(world, after, { most: 3 })).toEqual([[], [], []]);
      expect(await readAll(world, after, { most: 7 })).toEqual([[]]);
    });

    test('a long row of them', async () => {
      const world = await begin();
      const bodies = Array.from({ length: 450 }, (_, i) => String(i));
      const { after } = await ten(world, bodies);
      for (const most of [200, 399, 450, 1000]) {
        const pages = await readAll(world, after, { most });
        expect(pages.flat()).toEqual(bodies);
        expect(pages).toHaveLength(Math.ceil(450 / most));
      }
    });

    test('bytes: no further body once there are enough', async () => {
      const world = await begin();
      const { after } = await ten(world, ['aaaa', '', 'bb', 'c', 'dddddddd', 'e']);
      expect(await readAll(world, after, { bytes: 6 })).toEqual([
        ['aaaa', '', 'bb'],
        ['c', 'dddddddd'],
        ['e'],
      ]);
      expect(await readAll(world, after, { bytes: 1 })).toEqual([
        ['aaaa'],
        ['', 'bb'],
        ['c'],
        ['dddddddd'],
        ['e'],
      ]);
    });

    test('a larger body comes as an empty one, and counts no bytes', async () => {
      const world = await begin();
      const large = `[${'1,'.repeat(20_000)}1]`;
      const { after } = await ten(world, ['12345', '123456', large, '{}']);
      expect(await readAll(world, after, { largest: 5, bytes: 7 })).toEqual([
        ['12345', '', '', '{}'],
      ]);
    });
  });
}
