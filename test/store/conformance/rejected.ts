import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../src/core/model.ts';
import {
  MOST_REJECTED,
  MOST_REJECTED_BYTES,
  MOST_REJECTED_PER_S,
} from '../../../src/core/proof/rejected-limits.ts';
import type { Verification } from '../../../src/core/proof/verification.ts';
import type { Verdict } from '../../../src/core/rules/verdict.ts';
import { BY_ID, STRIPE } from './proof.ts';
import { clearedWorlds, type OpenStore, only, type RequestPatch, type World } from './world.ts';

const ENFORCED = { ...STRIPE, enforce: true };
const FAILED: Verification = {
  state: 'failed',
  provider: 'stripe',
  secret: null,
  reason: 'signature_mismatch',
};
const VERIFIED: Verification = { state: 'verified', provider: 'stripe', secret: 1, reason: null };
const KiB = 1024;
const MINUTE_MS = 60_000;
const REFUSED = { stored: false, reason: 'signature_invalid' };

const refusal = (world: World, endpoint: Endpoint, patch: Partial<Verdict> = {}) =>
  world.verdict(endpoint, { verification: FAILED, refused: { keep: true }, ...patch });

/** Sends requests that their verdict refuses. */
async function refuse(world: World, endpoint: Endpoint, patches: readonly RequestPatch[]) {
  const verdict = await refusal(world, endpoint);
  const { results } = await world.capture(
    endpoint,
    patches.map((patch) => ({ verdict, ...patch })),
  );
  expect(results).toEqual(patches.map(() => REFUSED));
}

const listed = (world: World, endpoint: Endpoint, limit = 10_000, offset = 0) =>
  world.store.rejected.list(endpoint.key, { offset, limit });

const pathsOf = async (world: World, endpoint: Endpoint) =>
  (await listed(world, endpoint)).rejected.map(({ path }) => path);

export function rejectedConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);

  test('a refused request makes no event and is kept as it came, also after a restart', async () => {
    const world = await begin();
    const endpoint = await world.endpoint({ source: ENFORCED });
    await world.destination(endpoint);
    const stranger = await world.endpoint({ userId: endpoint.userId });
    const request = {
      ...{ method: 'PUT', path: '/a/%zz', query: 'b=%ff', rawHeaders: ['X-A', 'é', 'x-a', ''] },
      ...{ contentType: 'application/json', sourceIp: '2001:db8::1', receivedAt: world.now + 7 },
      ...{ provider: 'stripe', eventType: 'invoice.paid', body: Buffer.from([0, 255, 1]) },
    };
    const verdict = await refusal(world, endpoint);
    const { results, claimed } = await world.capture(
      endpoint,
      [{ ...request, verdict }],
      world.terms(),
    );
    expect([results, claimed]).toEqual([[REFUSED], []]);
    const { query, rawHeaders, body, ...kept } = request;
    const rejected = {
      ...kept,
      id: expect.stringMatching(/^rej_/),
      size: 3,
      verification: FAILED,
    };
    const check = async () => {
      const page = await listed(world, endpoint);
      expect(page).toEqual({ rejected: [rejected], total: 1 });
      const { id } = only(page.rejected);
      expect(await world.store.rejected.find(endpoint.key, id)).toEqual({
        rejected,
        content: { query, rawHeaders, body },
      });
      expect(await world.store.rejected.find(stranger.key, id)).toBeNull();
      expect(await world.store.rejected.find(endpoint.key, 'rej_none')).toBeNull();
      expect(await listed(world, stranger)).toEqual({ rejected: [], total: 0 });
      expect(await world.listed(endpoint)).toEqual([]);
      expect(await world.claimDue()).toEqual([]);
    };
    await check();
    await world.reopen();
    await check();
  });

  test('one that isn’t to be kept leaves no trace', async () => {
    const world = await begin();
    const endpoint = await world.endpoint({ source: ENFORCED });
    const verdict = await refusal(world, endpoint, { refused: { keep: false } });
    expect((await world.capture(endpoint, [{ verdict }])).results).toEqual([REFUSED]);
    expect(await listed(world, endpoint)).toEqual({ rejected: [], total: 0 });
    expect(await world.listed(endpoint)).toEqual([]);
  });

  test('others of the batch are stored, and a refused one claims no key', async () => {
    const world = await begin();
    const endpoint = await world.endpoint({ source: ENFORCED, dedupe: BY_ID });
    const once = { key: 'k', body: 'b' };
    const refused = await refusal(world, endpoint, { once });
    const good = await world.verdict(endpoint, { verification: VERIFIED, once });
    const { results } = await world.capture(endpoint, [{ verdict: refused }, { verdict: good }]);
    expect(results).toMatchObject([
      REFUSED,
      { stored: true, event: { verification: VERIFIED, duplicateOf: null } },
    ]);
  });

  test('they are listed newest first, page by page', async () => {
    const world = await begin();
    const endpoint = await world.endpoint({ source: ENFORCED });
    for (const path of ['/0', '/1', '/2', '/3', '/4']) {
      world.now += 1000;
      await refuse(world, endpoint, [{ path }]);
    }
    expect(await pathsOf(world, endpoint)).toEqual(['/4', '/3', '/2', '/1', '/0']);
    const { rejected } = await listed(world, endpoint);
    for (const offset of [0, 2, 4, 6]) {
      expect(await listed(world, endpoint, 2, offset)).toEqual({
        rejected: rejected.slice(offset, offset + 2),
        total: 5,
      });
    }
  });

  describe('an endpoint keeps', () => {
    test('at most 20 of any second', async () => {
      const world = await begin();
      const endpoint = await world.endpoint({ source: ENFORCED });
      const other = await world.endpoint({ source: ENFORCED });
      const at = world.now;
      const count = async () => (await listed(world, endpoint)).total;
      const receivedAt = (offsets: readonly number[]) =>
        offsets.map((offset) => ({ receivedAt: at + offset }));
      await refuse(world, endpoint, receivedAt(Array(15).fill(0)));
      await refuse(world, endpoint, receivedAt(Array(15).fill(999)));
      expect(await count()).toBe(MOST_REJECTED_PER_S);
      await refuse(world, endpoint, receivedAt([999, 998, 1]));
      expect(await count()).toBe(MOST_REJECTED_PER_S);
      await refuse(world, other, receivedAt([999]));
      expect((await listed(world, other)).total).toBe(1);
      // 15 have left the second; 5 more are in it.
      await refuse(world, endpoint, receivedAt(Array(30).fill(1000)));
      expect(await count()).toBe(MOST_REJECTED_PER_S + 15);
      // A clock that was set back doesn't stop them.
      await refuse(world, endpoint, receivedAt([-50_000]));
      expect(await count()).toBe(MOST_REJECTED_PER_S + 16);
    });

    test('more of a second where their key could not be had', async () => {
      const world = await begin();
      const endpoint = await world.endpoint({ source: ENFORCED });
      const verification: Verification = { ...FAILED, reason: 'key_unavailable' };
      const verdict = await refusal(world, endpoint, { verification });
      const most = MOST_REJECTED_PER_S + 10;
      await refuse(world, endpoint, Array(most).fill({ verdict }));
      // Forgeries beside them have no share of their own.
      await refuse(world, endpoint, [{}]);
      expect((await listed(world, endpoint)).total).toBe(most);
    });

    test('the newest 1,000', async () => {
      const world = await begin();
      const endpoint = await world.endpoint({ source: ENFORCED });
      const other = await world.endpoint({ source: ENFORCED });
      await refuse(world, other, [{}]);
      const seconds = MOST_REJECTED / MOST_REJECTED_PER_S + 1;
      for (let second = 0; second < seconds; second++) {
        world.now += 1000;
        await refuse(
          world,
          endpoint,
          Array.from({ length: MOST_REJECTED_PER_S }, (_, i) => ({ path: `/${second}/${i}` })),
        );
      }
      const paths = await pathsOf(world, endpoint);
      expect(paths).toHaveLength(MOST_REJECTED);
      expect([paths[0], paths.at(-1)]).toEqual([`/${seconds - 1}/19`, '/1/0']);
      expect((await listed(world, other)).total).toBe(1);
    });

    test('at most 64 MiB with their paths, queries and headers: the oldest go', async () => {
      const world = await begin();
      const endpoint = await world.endpoint({ source: ENFORCED });
      const wide = 'é'.repeat(64 * KiB);
      const textSize = 128 * KiB;
      // Each row also counts its headers as JSON, of which `[]` has none.
      const bytes = [1 + textSize + 2, textSize + 2, textSize + '["x-wide",""]'.length];
      const rest = MOST_REJECTED_BYTES - bytes.reduce((sum, size) => sum + size, 2);
      const requests = [
        { path: `/${wide}` },
        { query: wide },
        { rawHeaders: ['x-wide', wide] },
        { body: Buffer.alloc(rest) },
      ];
      for (const request of requests) {
        world.now += 1000;
        await refuse(world, endpoint, [request]);
      }
      const kept = async () => (await listed(world, endpoint)).rejected.map(({ size }) => size);
      expect(await kept()).toEqual([rest, 0, 0, 0]);
      expect((await pathsOf(world, endpoint)).at(-1)).toBe(`/${wide}`);
      world.now += 1000;
      await refuse(world, endpoint, [{}]);
      expect(await kept()).toEqual([0, rest, 0, 0]);
      expect(await pathsOf(world, endpoint)).toEqual(['', '', '', '']);
    });
  });

  describe('one that is accepted', () => {
    const acceptance = async (world: World, endpoint: Endpoint, accepts: string) => ({
      accepts,
      verdict: await world.verdict(endpoint, { verification: VERIFIED }),
    });

    test('becomes an event and is gone from the rejected ones', async () => {
      const world = await begin();
      const endpoint = await world.endpoint({ source: ENFORCED });
      await world.destination(endpoint);
      await refuse(world, endpoint, [{ path: '/0' }, { path: '/1' }]);
      const [, one] = (await listed(world, endpoint)).rejected;
      if (!one) throw new Error('two');
      const event = await world.event(endpoint, {
        ...(await acceptance(world, endpoint, one.id)),
        ...{ path: one.path, receivedAt: one.receivedAt },
      });
      expect(event).toMatchObject({ path: one.path, verification: VERIFIED });
      expect(only(await world.claimDue()).eventId).toBe(event.id);
      expect(await world.store.rejected.find(endpoint.key, one.id)).toBeNull();
      expect((await listed(world, endpoint)).total).toBe(1);
    });

    test('by several at once becomes one event', async () => {
      const world = await begin();
      const endpoint = await world.endpoint({ source: ENFORCED });
      await refuse(world, endpoint, [{}]);
      const { id } = only((await listed(world, endpoint)).rejected);
      const patch = await acceptance(world, endpoint, id);
      const batches = await Promise.all(
        [[patch], [patch, patch], [patch]].map((patches) => world.capture(endpoint, patches)),
      );
      const results = batches.flatMap((batch) => batch.results);
      expect(results.filter(({ stored }) => stored)).toHaveLength(1);
      expect(results.filter(({ stored }) => !stored)).toEqual(
        Array(3).fill({ stored: false, reason: 'rejected_not_found' }),
      );
      expect(await world.listed(endpoint)).toHaveLength(1);
    });

    test('belongs to the endpoint', async () => {
      const world = await begin();
      const endpoint = await world.endpoint({ source: ENFORCED });
      const other = await world.endpoint({ source: ENFORCED, userId: endpoint.userId });
      await refuse(world, endpoint, [{}]);
      const { id } = only((await listed(world, endpoint)).rejected);
      const { results } = await world.capture(other, [await acceptance(world, other, id)]);
      expect(results).toEqual([{ stored: false, reason: 'rejected_not_found' }]);
      expect(await world.listed(other)).toEqual([]);
      expect((await listed(world, endpoint)).total).toBe(1);
    });

    test('and still fails stays where it is', async () => {
      const world = await begin();
      const endpoint = await world.endpoint({ source: ENFORCED });
      await refuse(world, endpoint, [{}]);
      const before = await listed(world, endpoint);
      const { id: accepts } = only(before.rejected);
      world.now += 5000;
      await refuse(world, endpoint, [{ accepts }]);
      expect(await listed(world, endpoint)).toEqual(before);
    });

    test('repeats the event that has its key', async () => {
      const world = await begin();
      const endpoint = await world.endpoint({ source: ENFORCED, dedupe: BY_ID });
      await refuse(world, endpoint, [{}]);
      const { id } = only((await listed(world, endpoint)).rejected);
      const { accepts, verdict } = await acceptance(world, endpoint, id);
      const keyed = { ...verdict, once: { key: 'k', body: 'b' } };
      const first = await world.event(endpoint, { verdict: keyed });
      expect(await world.event(endpoint, { accepts, verdict: keyed })).toMatchObject({
        duplicateOf: first.id,
      });
      expect((await listed(world, endpoint)).total).toBe(0);
    });
  });

  test('retention deletes them with the events of their time', async () => {
    const world = await begin();
    const { upkeep } = world.store;
    const short = await world.endpoint({ source: ENFORCED, retention: MINUTE_MS });
    const plain = await world.endpoint({ source: ENFORCED });
    const verdicts = new Map<Endpoint, Verdict>();
    for (const endpoint of [short, plain]) {
      verdicts.set(endpoint, await world.verdict(endpoint, { verification: VERIFIED }));
    }
    for (const [endpoint, verdict] of verdicts) {
      await world.event(endpoint, { verdict });
      await refuse(world, endpoint, Array(7).fill({}));
    }
    const totals = async () =>
      Promise.all([short, plain].map(async (one) => (await listed(world, one)).total));
    const retire = async (before: number | null) => {
      let removed = 0;
      for (let slices = 0; ; slices++) {
        expect(slices).toBeLessThan(20);
        const slice = await upkeep.retireSlice({ before, now: world.now }, 2);
        removed += slice.removed;
        if (!slice.more) return removed;
      }
    };
    world.now += MINUTE_MS;
    for (const endpoint of [short, plain]) await refuse(world, endpoint, [{}]);
    // The end of the retention isn't in it.
    expect([await retire(null), await totals()]).toEqual([0, [8, 8]]);
    world.now += 1;
    expect([await retire(null), await totals()]).toEqual([1, [1, 8]]);
    expect([await retire(world.now - MINUTE_MS), await totals()]).toEqual([1, [1, 1]]);
    expect([await retire(world.now + 1), await totals()]).toEqual([0, [1, 0]]);
  });

  test('they go with their endpoint: hidden at once, deleted slice by slice', async () => {
    const world = await begin();
    const endpoint = await world.endpoint({ source: ENFORCED });
    await refuse(world, endpoint, Array(8).fill({}));
    const { id } = (await listed(world, endpoint)).rejected[0] ?? { id: '' };
    await world.store.endpoints.remove(endpoint.key, world.now);
    expect(await listed(world, endpoint)).toEqual({ rejected: [], total: 0 });
    expect(await world.store.rejected.find(endpoint.key, id)).toBeNull();
    for (let slices = 0; ; slices++) {
      expect(slices).toBeLessThan(10);
      const slice = await world.store.upkeep.purgeSlice(3);
      expect(slice.removed).toBe(0);
      if (!slice.more) break;
    }
  });
}
