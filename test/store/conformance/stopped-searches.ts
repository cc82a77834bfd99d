import { describe, expect, test } from 'vitest';
import type { EventSummary } from '../../../src/core/model.ts';
import type { EventFilter, SearchStop } from '../../../src/store/contract/events.ts';
import type { Scope } from '../../../src/store/contract/scope.ts';
import { Random } from './random.ts';
import { type OpenStore, type RequestPatch, sharedWorld } from './world.ts';

const BATCHES = 30;
const OF_BATCH = 40;
const RULE = 'body.n=3';
const FITS = { body: '{"n":3}' };
/** More values than are parsed for a rule. */
const COSTLY = { body: `[${'0,'.repeat(1_000_000)}0]` };

export function stoppedSearchConformance(open: OpenStore): void {
  const shared = sharedWorld(open);

  /** Searches without time: each call gets on a little. */
  async function parts(scope: Scope, filter: EventFilter) {
    const events: EventSummary[] = [];
    const stops: SearchStop[] = [];
    for (let before: number | undefined; ; ) {
      const { stopped, ...page } = await shared().store.events.list(
        scope,
        { ...filter, ...(before !== undefined && { before }) },
        { offset: 0, limit: 10_000, forMs: 0 },
      );
      events.push(...page.events);
      expect(page.total).toBe(page.events.length);
      if (!stopped) return { events, stops };
      stops.push(stopped);
      before = stopped.before;
    }
  }

  describe('a search that stops', () => {
    test('goes on where it stopped, at all endpoints, and loses nothing', async () => {
      const { userId, ...first } = await shared().endpoint();
      const endpoints = [{ userId, ...first }, await shared().endpoint({ userId })];
      const random = new Random(3);
      let n = 0;
      const patch = (): RequestPatch => ({
        receivedAt: shared().now + ++n,
        ...random.pick<RequestPatch>([
          { provider: 'stripe', body: `{"object":"event","type":"push","n":${n}}` },
          { provider: 'github', eventType: 'push', body: `{"n":${n}}` },
          { method: 'PUT', rawHeaders: ['X-A', 'b'], body: `{"n":${-n}}` },
        ]),
      });
      const captured: EventSummary[] = [];
      for (let i = 0; i < BATCHES; i++) {
        const patches = Array.from({ length: OF_BATCH }, patch);
        captured.push(...(await shared().events(random.pick(endpoints), patches)));
      }
      const scope = { userId };
      for (const filter of [
        { where: 'body.n>0' },
        { where: 'header.x-a=b', method: 'PUT' },
        { type: 'push' },
        { type: 'push', where: 'body.n>100' },
      ]) {
        const whole = await shared().store.events.list(scope, filter, { offset: 0, limit: 10_000 });
        const { events, stops } = await parts(scope, filter);
        const what = JSON.stringify(filter);
        expect(
          events.map(({ id }) => id),
          what,
        ).toEqual(whole.events.map(({ id }) => id));
        expect(stops.length, what).toBeGreaterThan(1);
        // Each part says how far it came: to the event before which the next one begins.
        let newer = Infinity;
        for (const { before, lookedAt, until, tooCostly } of stops) {
          const passed = captured.filter(({ seq }) => seq >= before && seq < newer);
          expect({ lookedAt, until, tooCostly }, what).toEqual({
            lookedAt: passed.length,
            until: passed[0]?.receivedAt,
            tooCostly: null,
          });
          newer = before;
        }
      }
    });

    test('at events that take too many steps names them, and finds all others', async () => {
      const { userId, ...first } = await shared().endpoint();
      const second = await shared().endpoint({ userId });
      const found: EventSummary[] = [];
      const costly: EventSummary[] = [];
      for (const endpoint of [second, { userId, ...first }]) {
        found.push(...(await shared().events(endpoint, Array(30).fill(FITS))));
        costly.push(...(await shared().events(endpoint, Array(2).fill(COSTLY))));
      }
      found.push(...(await shared().events(second, [FITS])));
      const { events, stops } = await parts({ userId }, { where: RULE });
      expect(events.map(({ id }) => id)).toEqual(found.map(({ id }) => id).reverse());
      const named = stops.flatMap(({ tooCostly }) => tooCostly ?? []);
      expect(named).toEqual(costly.map(({ id }) => id).reverse());
      // Without an end of its time, it stops at the newest of them.
      const page = await shared().store.events.list(
        { userId },
        { where: RULE },
        { offset: 0, limit: 1 },
      );
      const { id, seq } = costly.at(-1) as EventSummary;
      expect(page.events.map((event) => event.id)).toEqual([found.at(-1)?.id]);
      expect(page.stopped).toMatchObject({ tooCostly: id, before: seq });
      // A number of matches that isn't known is never shown.
      await expect(shared().store.replays.count(second.key, { where: RULE })).rejects.toMatchObject(
        { code: 'search_too_long', message: expect.stringContaining('evt_') },
      );
    });

    test('with more matches than it returns goes on after the last of them', async () => {
      const endpoint = await shared().endpoint();
      const scope = { endpointKeys: [endpoint.key] };
      const [costly] = await shared().events(endpoint, [COSTLY]);
      const captured = (await shared().events(endpoint, Array(1100).fill(FITS))).reverse();
      const search = (before: number) =>
        shared().store.events.list(scope, { where: RULE, before }, { offset: 1, limit: 1 });
      const first = await search(Number.MAX_SAFE_INTEGER);
      expect(first.events.map(({ id }) => id)).toEqual(captured.slice(0, 1000).map(({ id }) => id));
      const before = captured[999]?.seq as number;
      expect(first.stopped).toMatchObject({ before, lookedAt: 1000, tooCostly: null });
      const second = await search(before);
      expect(second.events.map(({ id }) => id)).toEqual(captured.slice(1000).map(({ id }) => id));
      expect(second.stopped).toMatchObject({ lookedAt: 101, tooCostly: costly?.id });
      expect(await search(costly?.seq as number)).toEqual({ events: [], total: 0 });
    });
  });
}
