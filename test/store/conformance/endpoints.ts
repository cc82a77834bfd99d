import { describe, expect, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../src/core/settings/destination-settings.ts';
import { DEFAULT_ENDPOINT_SETTINGS } from '../../../src/core/settings/endpoint-settings.ts';
import { MANY } from '../../fixtures/many.ts';
import {
  CLAIM_NOTHING,
  clearedWorlds,
  type OpenStore,
  settingsPatch,
  sharedWorld,
  withSettings,
} from './world.ts';

const TEAPOT = { status: 418, content_type: 'text/plain; é', body: '\0"\\\n☕' };

export function endpointConformance(open: OpenStore): void {
  const shared = sharedWorld(open);
  const begin = clearedWorlds(open);
  const endpoints = () => shared().store.endpoints;

  test('an endpoint is found as it was created', async () => {
    const made = await shared().endpoint({ name: 'a “name”', is_active: false, response: TEAPOT });
    expect(await endpoints().find(made.userId, made.id)).toEqual(made);
    expect(await endpoints().findByPublicToken(made.publicToken)).toEqual(made);
    expect(made.settings).toMatchObject({
      ...{ name: 'a “name”', is_active: false, response: TEAPOT },
    });
  });

  test('a response keeps its headers with their order and case, and may have no content type', async () => {
    const headers = { Location: '/a"\\b', 'x-b': '{}', ['__proto__']: 'c', '2': 'd' };
    const response = { status: 302, content_type: null, body: '', headers };
    const made = await shared().endpoint({ response });
    const found = await endpoints().findByPublicToken(made.publicToken);
    expect(found?.settings.response).toEqual(response);
    expect(Object.entries(found?.settings.response?.headers ?? {})).toEqual(
      Object.entries(headers),
    );
    const { results } = await shared().capture(made, [{}]);
    expect(results).toMatchObject([{ stored: true, response }]);
  });

  test('no other account finds an endpoint', async () => {
    const made = await shared().endpoint();
    const stranger = await shared().user();
    expect(await endpoints().find(stranger.id, made.id)).toBeNull();
    expect(await endpoints().find(made.userId, newId('ep', 1))).toBeNull();
    expect(await endpoints().findByPublicToken('no such token')).toBeNull();
    expect(await endpoints().list(stranger.id)).toEqual([]);
  });

  test('an account’s endpoints are listed newest first', async () => {
    const { id: userId } = await shared().user();
    const first = await shared().endpoint({ userId });
    await shared().endpoint();
    const second = await shared().endpoint({ userId, is_active: false });
    expect(await endpoints().list(userId)).toEqual([second, first]);
  });

  test('an update changes what it names and nothing else', async () => {
    const made = await shared().endpoint();
    expect(await endpoints().update(made.key, {})).toEqual(made);
    expect(await endpoints().update(made.key, settingsPatch({ name: 'b' }))).toEqual(
      withSettings(made, { name: 'b' }),
    );
    const paused = withSettings(made, { name: 'b', is_active: false });
    expect(await endpoints().update(made.key, settingsPatch({ is_active: false }))).toEqual(paused);
    const answering = withSettings(paused, { response: TEAPOT });
    expect(await endpoints().update(made.key, settingsPatch({ response: TEAPOT }))).toEqual(
      answering,
    );
    expect(await endpoints().find(made.userId, made.id)).toEqual(answering);
  });

  test('a response stays when an update leaves it out, and goes when it is null', async () => {
    const made = await shared().endpoint({ response: TEAPOT });
    const renamed = await endpoints().update(
      made.key,
      settingsPatch({ name: 'b', is_active: true }),
    );
    expect(renamed).toMatchObject({ settings: { response: TEAPOT } });
    const cleared = await endpoints().update(made.key, settingsPatch({ response: null }));
    expect(cleared).toMatchObject({ settings: { response: null } });
    expect((await endpoints().find(made.userId, made.id))?.settings.response).toBeNull();
  });

  test('a removed endpoint can be neither updated nor removed again', async () => {
    const made = await shared().endpoint();
    expect(await endpoints().remove(made.key, shared().now)).toBe(true);
    expect(await endpoints().remove(made.key, shared().now)).toBe(false);
    expect(await endpoints().update(made.key, settingsPatch({ is_active: true }))).toBeNull();
    const destination = {
      id: newId('dst', 1),
      url: 'https://a.example',
      sealedSecret: null,
      sealedHeaders: null,
      settings: DEFAULT_DESTINATION_SETTINGS,
    };
    expect(
      await shared().store.destinations.add(made.key, { ...destination, createdAt: 1 }, MANY),
    ).toBeNull();
  });

  test('the number of an account’s endpoints is limited', async () => {
    const user = await shared().user();
    const make = (id: string) =>
      endpoints().create(
        {
          id,
          userId: user.id,
          publicToken: `of-${id}`,
          settings: { ...DEFAULT_ENDPOINT_SETTINGS, name: 'orders' },
          source: null,
          createdAt: 1,
        },
        2,
      );
    const ids = Array.from({ length: 6 }, (_, n) => newId('ep', n));
    const made = await Promise.allSettled(ids.map(make));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(made.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'limit_reached', hint: expect.stringContaining('--max-endpoints') },
    });
    const [one] = await endpoints().list(user.id);
    await endpoints().remove(one?.key as number, shared().now);
    await expect(make(newId('ep', 7))).resolves.toMatchObject({ userId: user.id });
  });

  test('a removed endpoint captures nothing', async () => {
    const made = await shared().endpoint();
    await endpoints().remove(made.key, shared().now);
    const { results } = await shared().capture(made, [{}]);
    expect(results).toEqual([{ stored: false, reason: 'endpoint_not_found' }]);
  });

  describe('a removed endpoint is hidden from every read', () => {
    /** A removed endpoint with every kind of row, and another endpoint of the same account. */
    async function removedEndpoint() {
      const world = await begin();
      const removed = await world.endpoint();
      const other = await world.endpoint({ userId: removed.userId });
      const destination = await world.destination(removed);
      const event = await world.event(removed, { body: 'needle' });
      const otherEvent = await world.event(other, { body: 'needle' });
      const [claim] = await world.claimDue();
      if (!claim) throw new Error('nothing was due');
      await world.settle(claim, { retryInMs: 0 });
      await world.store.endpoints.remove(removed.key, world.now);
      return { world, store: world.store, removed, other, destination, event, otherEvent };
    }

    test('by its id, its token, its account and its events’ ids', async () => {
      const { world, store, removed, other, event, otherEvent } = await removedEndpoint();
      const { userId } = removed;
      expect(await store.endpoints.find(userId, removed.id)).toBeNull();
      expect(await store.endpoints.findByPublicToken(removed.publicToken)).toBeNull();
      expect(await store.endpoints.list(userId)).toEqual([other]);
      expect(await store.events.find(removed.key, event.id)).toBeNull();
      expect(await store.events.findOwned(userId, event.id)).toBeNull();
      expect(await store.live.eventsAfter({ endpointKeys: [removed.key] }, 0, 10)).toEqual([]);
      expect(await store.live.eventsAfter({ userId }, 0, 10)).toEqual([otherEvent]);
      for (const scope of [{ userId }, { endpointKeys: [removed.key] }]) {
        expect((await store.live.attemptsAfter(scope, 0, 10)).attempts).toEqual([]);
      }
      expect(await world.listed(other, { q: 'needle' })).toEqual([otherEvent]);
    });

    test('by its key', async () => {
      const { store, removed } = await removedEndpoint();
      const window = { offset: 0, limit: 10 };
      const nothing = { events: [], total: 0 };
      for (const filter of [{}, { q: 'needle' }, { status: 'failed' }, { from: 0 }] as const) {
        expect
          .soft(await store.events.list({ endpointKeys: [removed.key] }, filter, window))
          .toEqual(nothing);
        expect.soft(await store.replays.count(removed.key, filter)).toBe(0);
      }
      expect.soft(await store.destinations.list(removed.key)).toEqual([]);
    });

    test('by its events’ sequence numbers', async () => {
      const { store, event } = await removedEndpoint();
      expect.soft(await store.events.content(event.seq)).toBeNull();
      expect.soft(await store.events.deliveries(event.seq, 0)).toEqual([]);
      expect.soft(await store.events.attempts(event.seq)).toEqual([]);
    });

    test('and from every change', async () => {
      const { world, store, removed, destination, event } = await removedEndpoint();
      const { key } = removed;
      expect(await store.replays.replay(key, event.seq, world.now, CLAIM_NOTHING)).toBeNull();
      expect(await store.destinations.remove(key, destination.id, world.now, true)).toBe(false);
    });
  });

  test('a removed endpoint’s deliveries end', async () => {
    const world = await begin();
    const { store } = world;
    const made = await world.endpoint();
    await world.destination(made);
    const event = await world.event(made);
    const [claim] = await world.claimDue();
    await world.event(made);
    if (!claim) throw new Error('nothing was due');
    await store.endpoints.remove(made.key, world.now);
    world.now += 3_600_000;
    expect(await world.claimDue()).toEqual([]);
    expect(await store.queue.nextDueAt(world.now, new Set())).toBeNull();
    expect(await store.queue.begin([claim], world.now, world.now)).toEqual([null]);
    expect(await store.replays.replay(made.key, event.seq, world.now, CLAIM_NOTHING)).toBeNull();
    expect(await world.settle(claim, 'succeeded')).toBeNull();
  });

  test('a removed endpoint’s deliveries no longer count as open', async () => {
    const world = await begin();
    const made = await world.endpoint();
    await world.destination(made);
    await world.event(made);
    await world.store.endpoints.remove(made.key, world.now);
    expect(await world.store.stats(world.now + 5000)).toMatchObject({
      pending: 0,
      due: 0,
      oldestDueMs: 0,
    });
  });
}
