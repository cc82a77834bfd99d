import { describe, expect, test } from 'vitest';
import type { CapturedRequest } from '../../../src/core/http/captured-request.ts';
import { newId } from '../../../src/core/ids.ts';
import type { Endpoint } from '../../../src/core/model.ts';
import type { JudgingSettings } from '../../../src/core/rules/verdict.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../src/core/settings/destination-settings.ts';
import { verdictOf } from '../../fixtures/verdict.ts';
import {
  CLAIM_NOTHING,
  clearedWorlds,
  type OpenStore,
  only,
  sharedWorld,
  type World,
} from './world.ts';

/** Filters are judged outside of the store: it compares versions and records what was dropped. */
export function filterConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);
  const shared = sharedWorld(open);

  const filtered = (filter: string) => ({
    settings: { ...DEFAULT_DESTINATION_SETTINGS, filter },
  });

  const judgeBy = (world: World, endpoint: Endpoint) => world.judgeBy(endpoint);
  const captureDropped = (world: World, endpoint: Endpoint, keys: number[]) =>
    world.droppedEvent(endpoint, keys);

  describe('a capture', () => {
    test('needs no verdict where no destination has a filter', async () => {
      const endpoint = await shared().endpoint();
      await shared().destination(endpoint);
      expect(await judgeBy(shared(), endpoint)).toBeNull();
    });

    test('without a verdict gets the filters of now, and nothing is stored', async () => {
      const endpoint = await shared().endpoint();
      await shared().destination(endpoint);
      const { key } = await shared().destination(endpoint, filtered('method=PUT'));
      const other = await shared().destination(endpoint, filtered('{"method":"GET"}'));
      expect(await judgeBy(shared(), endpoint)).toEqual({
        userId: endpoint.userId,
        version: expect.any(Number),
        endpointId: endpoint.id,
        source: null,
        dedupe: null,
        filters: [
          { destinationKey: key, ruleVersion: 1, filter: 'method=PUT', orderBy: null },
          { destinationKey: other.key, ruleVersion: 1, filter: '{"method":"GET"}', orderBy: null },
        ],
      });
      const { total } = await shared().store.events.list(
        { endpointKeys: [endpoint.key] },
        {},
        { offset: 0, limit: 1 },
      );
      expect(total).toBe(0);
    });

    test('goes to chosen destinations only; one that is named gets what its filter drops', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const open = await world.destination(endpoint);
      const left = await world.destination(endpoint, filtered('method=PUT'));
      const closed = await world.destination(endpoint, filtered('method=PUT'));
      const verdict = await world.verdict(endpoint, {
        dropped: [left, closed].map(({ key }) => ({ destinationKey: key, ruleVersion: 1 })),
      });
      const statesOf = async (chosen: CapturedRequest['chosen']) => {
        const { seq } = await world.event(endpoint, { verdict, ...(chosen && { chosen }) });
        const deliveries = await world.store.events.deliveries(seq, 1);
        const states = deliveries.map(({ destinationId, state }) => [destinationId, state]);
        return new Map(states as [string, string][]);
      };
      expect(await statesOf({ only: [closed.id, 'dst_unknown'] })).toEqual(
        new Map([[closed.id, 'pending']]),
      );
      expect(await statesOf({ except: [left.id] })).toEqual(
        new Map([
          [open.id, 'pending'],
          [closed.id, 'filtered'],
        ]),
      );
      expect((await statesOf({ except: [open.id] })).get(open.id)).toBeUndefined();
      expect((await statesOf(undefined)).size).toBe(3);
      // Each of the claims is of an open delivery.
      expect(await world.claimDue()).toHaveLength(3);
    });

    test('by an older version is judged again after every change that verdicts read', async () => {
      const endpoint = await shared().endpoint();
      const { destinations } = shared().store;
      const { id } = await shared().destination(endpoint, filtered('method=PUT'));
      const changes: (() => Promise<unknown>)[] = [
        () =>
          destinations.update(
            endpoint.key,
            id,
            { settings: { filter: 'method=GET' } },
            { at: 1, by: null },
          ),
        () =>
          destinations.update(
            endpoint.key,
            id,
            { settings: { order_by: '*' } },
            { at: 1, by: null },
          ),
        () => shared().destination(endpoint),
        () =>
          destinations.update(
            endpoint.key,
            id,
            { settings: { filter: null, order_by: null } },
            { at: 1, by: null },
          ),
      ];
      for (const change of changes) {
        const { version } = (await judgeBy(shared(), endpoint)) as JudgingSettings;
        await change();
        const verdict = verdictOf({ version });
        const { results } = await shared().capture(endpoint, [{ verdict }, { verdict }]);
        expect(results).toMatchObject([{ reason: 'stale' }, { reason: 'stale' }]);
      }
      // The last change removed the filter.
      expect(await judgeBy(shared(), endpoint)).toBeNull();
    });

    test('beside others that are stale is stored alone', async () => {
      const plain = await shared().endpoint();
      const strict = await shared().endpoint();
      await shared().destination(strict, filtered('method=PUT'));
      const { results } = await shared().store.events.appendBatch(
        [shared().request(strict), shared().request(plain), shared().request(strict)],
        CLAIM_NOTHING,
      );
      expect(results.map(({ stored }) => stored)).toEqual([false, true, false]);
    });

    test('that filters drop because of a value they can’t compare is a fact for each', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const amounts = await world.destination(endpoint, filtered('body.total>100'));
      const other = await world.destination(endpoint, filtered('method=PUT'));
      const gone = await world.destination(endpoint, filtered('body.total>1'));
      const drop = ({ key }: typeof amounts) => ({ destinationKey: key, ruleVersion: 1 });
      const isUncomparable = true as const;
      const verdict = await world.verdict(endpoint, {
        dropped: [
          { ...drop(amounts), isUncomparable },
          drop(other),
          { ...drop(gone), isUncomparable },
        ],
      });
      await world.droppedEvent(endpoint, [amounts.key]);
      const event = await world.event(endpoint, { verdict });
      await world.store.destinations.remove(endpoint.key, gone.id, world.now, false);
      const { issues } = world.store;
      const { facts, scannedTo } = await issues.uncomparableFacts(0, 10);
      expect(facts).toEqual([
        {
          ...{ seq: event.seq, endpointKey: endpoint.key, destinationKey: amounts.key },
          ...{ userId: endpoint.userId, eventId: event.id, at: event.receivedAt },
        },
      ]);
      expect(scannedTo).toBe(event.seq);
      expect((await issues.uncomparableFacts(scannedTo, 10)).facts).toEqual([]);
    });

    test('makes no delivery to a destination that drops it, and lists the drop', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const open = await world.destination(endpoint);
      const closed = await world.destination(endpoint, filtered('method=PUT'));
      const event = await captureDropped(world, endpoint, [closed.key]);
      expect(await world.store.events.deliveries(event.seq, world.now)).toMatchObject([
        {
          id: expect.stringMatching(/^dlv_/),
          destinationId: closed.id,
          destinationUrl: closed.url,
          ...{ trigger: 'capture', state: 'filtered', attempts: 0, nextAttemptAt: null },
        },
        { destinationId: open.id, state: 'pending' },
      ]);
      const claims = await world.claimDue();
      expect(claims.map(({ destination }) => destination.id)).toEqual([open.id]);
      await world.settle(only(claims), 'succeeded');
      const found = await world.store.events.find(endpoint.key, event.id);
      expect(found?.status).toBe('delivered');
    });

    test('that every destination drops stays received', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const { key } = await world.destination(endpoint, filtered('method=PUT'));
      const event = await captureDropped(world, endpoint, [key]);
      expect(await world.claimDue()).toEqual([]);
      expect(event.status).toBe('received');
      expect((await world.store.events.find(endpoint.key, event.id))?.status).toBe('received');
    });
  });

  describe('a replay', () => {
    test('leaves out destinations whose filter dropped the event, even after a restart', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const open = await world.destination(endpoint);
      const closed = await world.destination(endpoint, filtered('method=PUT'));
      const event = await captureDropped(world, endpoint, [closed.key]);
      await world.reopen();
      const { replays } = world.store;
      const replayed = await replays.replay(endpoint.key, event.seq, world.now, CLAIM_NOTHING);
      expect(replayed?.deliveries).toBe(1);
      const deliveries = await world.store.events.deliveries(event.seq, world.now);
      expect(deliveries.map(({ destinationId, state }) => [destinationId, state])).toEqual(
        [
          [closed.id, 'filtered'],
          [open.id, 'cancelled'],
          [open.id, 'pending'],
        ].filter(([, state]) => state !== 'cancelled'),
      );
    });

    test('of several events judges each by its own record', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      await world.destination(endpoint);
      const closed = await world.destination(endpoint, filtered('method=PUT'));
      const dropped = await captureDropped(world, endpoint, [closed.key]);
      const passed = await captureDropped(world, endpoint, []);
      const id = newId('job', world.now);
      await world.store.replays.startJob({ id, endpointKey: endpoint.key, filter: {}, now: 1 }, 5);
      await world.store.replays.workOff(world.now, { events: 100, deliveries: 100 });
      const states = async (seq: number) =>
        (await world.store.events.deliveries(seq, world.now)).map(
          ({ state, trigger }) => `${state} ${trigger}`,
        );
      expect(await states(dropped.seq)).toEqual(['filtered capture', 'pending replay']);
      expect(await states(passed.seq)).toEqual(['pending replay', 'pending replay']);
    });
  });

  test('a change of the filter makes a version, any other change none', async () => {
    const endpoint = await shared().endpoint();
    const { destinations } = shared().store;
    const { id, ruleVersion } = await shared().destination(endpoint);
    expect(ruleVersion).toBe(0);
    const version = async (settings: { filter?: string | null; name?: string }) => {
      await destinations.update(endpoint.key, id, { settings }, { at: 1, by: null });
      return (await destinations.get(endpoint.key, id))?.ruleVersion;
    };
    expect(await version({ name: 'a' })).toBe(0);
    expect(await version({ filter: 'method=PUT' })).toBe(1);
    expect(await version({ filter: 'method=PUT', name: 'b' })).toBe(1);
    expect(await version({ filter: null })).toBe(2);
    expect(await version({ filter: '{"body":{"id":12345678901234567890}}' })).toBe(3);
    expect(await destinations.get(endpoint.key, id)).toMatchObject({
      settings: { filter: '{"body":{"id":12345678901234567890}}' },
      ruleVersion: 3,
    });
  });

  test('retention deletes the record with the event', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    const { key } = await world.destination(endpoint, filtered('method=PUT'));
    const event = await captureDropped(world, endpoint, [key]);
    const retired = await world.store.upkeep.retireSlice({ before: world.now + 1 }, 10);
    expect(retired.removed).toBe(1);
    expect(await world.store.events.deliveries(event.seq, world.now)).toEqual([]);
  });
}
