import { describe, expect, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../src/core/settings/destination-settings.ts';
import type { ClaimedDelivery } from '../../../src/store/contract/claims.ts';
import type { Outgoing } from '../../../src/store/contract/queue.ts';
import { clearedWorlds, type OpenStore, only, sharedWorld, type World } from './world.ts';

export function destinationConformance(open: OpenStore): void {
  const shared = sharedWorld(open);
  const begin = clearedWorlds(open);
  const destinations = () => shared().store.destinations;

  test('the number of an endpoint’s destinations is limited', async () => {
    const made = await shared().endpoint();
    const add = (id: string) =>
      destinations().add(
        made.key,
        {
          id,
          url: 'https://a.example',
          sealedSecret: null,
          sealedHeaders: null,
          settings: DEFAULT_DESTINATION_SETTINGS,
          createdAt: 1,
        },
        2,
      );
    const ids = Array.from({ length: 6 }, (_, n) => newId('dst', n));
    const added = await Promise.allSettled(ids.map(add));
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(added.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'limit_reached', hint: expect.stringContaining('--max-destinations') },
    });
    const [one] = await destinations().list(made.key);
    await destinations().remove(made.key, one?.id as string, shared().now, false);
    await expect(add(newId('dst', 7))).resolves.toMatchObject({ url: 'https://a.example' });
  });

  test('a destination is found as it was added, by its own endpoint', async () => {
    const made = await shared().endpoint();
    const other = await shared().endpoint({ userId: made.userId });
    const settings = { ...DEFAULT_DESTINATION_SETTINGS, name: 'a “name” ☕' };
    const destination = await shared().destination(made, { settings });
    expect(destination).toMatchObject({ settings, version: 1 });
    expect(await destinations().get(made.key, destination.id)).toEqual(destination);
    expect(await destinations().get(other.key, destination.id)).toBeNull();
    expect(await destinations().get(made.key, newId('dst', 1))).toBeNull();
  });

  describe('an update', () => {
    test('changes what it names and nothing else', async () => {
      const made = await shared().endpoint();
      const before = await shared().destination(made);
      const other = await shared().destination(made);
      const update = async (patch: Parameters<World['store']['destinations']['update']>[2]) => {
        const change = { at: 1, by: null };
        const updated = await destinations().update(made.key, before.id, patch, change);
        if (updated === 'changed') throw new Error('no version was given');
        expect(await destinations().get(made.key, before.id)).toEqual(updated);
        return updated;
      };
      const url = 'https://b.example/é';
      expect(await update({ url })).toEqual({ ...before, url, version: 2 });
      const settings = { ...before.settings, name: 'billing' };
      expect(await update({ settings: { name: 'billing' } })).toEqual({
        ...before,
        ...{ url, settings, version: 3 },
      });
      const signed = await update({ sealedSecret: Buffer.of(0, 255) });
      expect(Buffer.from(signed?.sealedSecret as Uint8Array)).toEqual(Buffer.of(0, 255));
      expect(await update({ sealedSecret: null, settings: {} })).toEqual({
        ...before,
        ...{ url, settings, version: 5 },
      });
      expect(await update({ settings: { name: null } })).toEqual({ ...before, url, version: 6 });
      expect(await destinations().get(made.key, other.id)).toEqual(other);
    });

    test('of an unknown or removed destination changes nothing', async () => {
      const made = await shared().endpoint();
      const other = await shared().endpoint({ userId: made.userId });
      const destination = await shared().destination(made);
      const update = (key: number, id: string) =>
        destinations().update(key, id, { url: 'https://b.example' }, { at: 1, by: null });
      expect(await update(other.key, destination.id)).toBeNull();
      expect(await update(made.key, newId('dst', 1))).toBeNull();
      expect(await destinations().list(made.key)).toEqual([destination]);
      await destinations().remove(made.key, destination.id, 1, false);
      expect(await update(made.key, destination.id)).toBeNull();
      expect(await destinations().get(made.key, destination.id)).toBeNull();
      await shared().store.endpoints.remove(other.key, 1);
      expect(await update(other.key, destination.id)).toBeNull();
    });

    test('is atomic beside other updates of the same destination', async () => {
      const made = await shared().endpoint();
      const { id } = await shared().destination(made);
      await Promise.all([
        destinations().update(made.key, id, { url: 'https://b.example' }, { at: 1, by: null }),
        destinations().update(made.key, id, { settings: { name: 'billing' } }, { at: 1, by: null }),
        destinations().update(made.key, id, { sealedSecret: Buffer.of(1) }, { at: 1, by: null }),
      ]);
      expect(await destinations().get(made.key, id)).toMatchObject({
        url: 'https://b.example',
        settings: { name: 'billing' },
        sealedSecret: expect.anything(),
        version: 4,
      });
    });

    test('applies to every attempt that begins after it resolved', async () => {
      const world = await begin();
      const made = await world.endpoint();
      const { id } = await world.destination(made, { sealedSecret: Buffer.of(1) });
      // Requests in memory or read at `begin`; deliveries claimed at capture or when due.
      const bodies = ['small', 'x'.repeat(100_000)].map((body) => ({ body }));
      const { claimed } = await world.capture(made, bodies, world.terms());
      await world.capture(made, bodies);
      const claims = [...claimed, ...(await world.claimDue())];
      expect(claims).toHaveLength(4);
      const url = 'https://b.example/';
      const settings = { ...DEFAULT_DESTINATION_SETTINGS, name: 'new' };
      const patch = { url, settings, sealedSecret: Buffer.of(2) };
      await world.store.destinations.update(made.key, id, patch, { at: world.now, by: null });
      const begun = await world.store.queue.begin(claims, world.now + 1000, world.now);
      expect(begun.map((outgoing) => outgoing && shownBy(outgoing))).toEqual(
        claims.map(() => ({ id, url, settings, secret: [2], version: 2 })),
      );
    });

    test('keeps the URLs of earlier attempts', async () => {
      const world = await begin();
      const made = await world.endpoint();
      const destination = await world.destination(made);
      const { seq } = await world.event(made);
      const settled = await world.settle(only(await world.claimDue()), { retryInMs: 0 });
      const url = 'https://b.example/';
      await world.store.destinations.update(
        made.key,
        destination.id,
        { url },
        { at: world.now, by: null },
      );
      expect(await world.store.events.deliveries(seq, world.now)).toMatchObject([
        { destinationUrl: url },
      ]);
      expect(settled?.attempt.destinationUrl).toBe(destination.url);
      expect(await world.store.events.attempts(seq)).toEqual([settled?.attempt]);
    });

    test('before the removal of the destination applies to its open deliveries', async () => {
      const world = await begin();
      const made = await world.endpoint();
      const { id } = await world.destination(made);
      await world.event(made);
      const claim = only(await world.claimDue()) as ClaimedDelivery;
      const url = 'https://b.example/';
      await world.store.destinations.update(made.key, id, { url }, { at: world.now, by: null });
      await world.store.destinations.remove(made.key, id, world.now, false);
      expect(await world.store.queue.begin([claim], world.now + 1000, world.now)).toMatchObject([
        { destination: { url } },
      ]);
    });
  });

  test('destinations are listed newest first, without removed ones', async () => {
    const made = await shared().endpoint();
    const sealedSecret = Buffer.from([0, 255, 1, 254]);
    const first = await shared().destination(made, { url: 'https://a.example/é?q#f' });
    const second = await shared().destination(made, { sealedSecret });
    const third = await shared().destination(made);
    const remove = (id: string) => destinations().remove(made.key, id, 1, false);
    expect(await remove(third.id)).toBe(true);
    expect(await remove(third.id)).toBe(false);
    const listed = await destinations().list(made.key);
    expect(listed.map(({ sealedSecret, ...rest }) => rest)).toEqual(
      [second, first].map(({ sealedSecret, ...rest }) => rest),
    );
    expect(listed.map((one) => one.sealedSecret && Buffer.from(one.sealedSecret))).toEqual([
      sealedSecret,
      null,
    ]);
  });

  test('only its own endpoint removes a destination', async () => {
    const made = await shared().endpoint();
    const other = await shared().endpoint({ userId: made.userId });
    const destination = await shared().destination(made);
    expect(await destinations().remove(other.key, destination.id, 1, true)).toBe(false);
    expect(await destinations().remove(made.key, newId('dst', 1), 1, true)).toBe(false);
    expect(await destinations().list(made.key)).toEqual([destination]);
  });

  test('a removed destination gets no new events, and its deliveries run on', async () => {
    const world = await begin();
    const made = await world.endpoint();
    const destination = await world.destination(made);
    const before = await world.event(made);
    await world.store.destinations.remove(made.key, destination.id, world.now, false);
    const after = await world.event(made);
    expect(await world.store.events.deliveries(after.seq, world.now)).toEqual([]);
    const claims = await world.claimDue();
    expect(claims).toMatchObject([{ eventId: before.id, destination: { id: destination.id } }]);
    const [claim] = claims;
    if (!claim) throw new Error('nothing was due');
    expect(await world.store.queue.begin([claim], world.now + 1000, world.now)).toMatchObject([{}]);
    expect(await world.settle(claim, 'succeeded')).toMatchObject({ eventStatus: 'delivered' });
  });

  test('a destination removed with its deliveries has none left open', async () => {
    const world = await begin();
    const { store } = world;
    const made = await world.endpoint();
    const removed = await world.destination(made);
    const kept = await world.destination(made);
    const events = await world.events(made, [{}, {}, {}]);
    const [failed, tried] = await world.claimDue({ skip: new Set([kept.key]), limit: 2 });
    if (!failed || !tried) throw new Error('nothing was due');
    await world.settle(failed, { retryInMs: 0 });
    expect(await world.status(made, events[0] as never)).toBe('failed');
    await store.destinations.remove(made.key, removed.id, world.now, true);

    expect(await store.queue.begin([tried], world.now + 1000, world.now)).toEqual([null]);
    for (const event of events) {
      expect(await store.events.deliveries(event.seq, world.now)).toMatchObject([
        { destinationId: removed.id, state: 'cancelled', nextAttemptAt: null },
        { destinationId: kept.id, state: 'pending' },
      ]);
    }
    // The cancelled delivery's failure no longer counts.
    expect(await world.status(made, events[0] as never)).toBe('received');
    world.now += 3_600_000;
    const claims = await world.claimDue();
    expect(new Set(claims.map(({ destination }) => destination.id))).toEqual(new Set([kept.id]));
    expect(claims).toHaveLength(3);
    // An attempt that was under way at the removal is still recorded.
    expect(await world.settle(tried, 'succeeded')).toMatchObject({ eventStatus: 'received' });
    expect(await store.events.attempts(events[1]?.seq as number)).toHaveLength(1);
    expect((await store.stats(world.now)).pending).toBe(3);
  });

  test('a destination removed with its deliveries leaves none open at any moment', async () => {
    // Otherwise, after a crash, open deliveries would run on without a destination to cancel them.
    const world = await begin();
    const made = await world.endpoint();
    const destination = await world.destination(made);
    await world.events(made, Array(3000).fill({}));
    const openAfter = new Set<number>();
    let done = false;
    const removing = world.store.destinations
      .remove(made.key, destination.id, world.now, true)
      .finally(() => {
        done = true;
      });
    for (let last = false; !last; ) {
      last = done;
      const isGone = (await world.store.destinations.list(made.key)).length === 0;
      const { pending } = await world.store.stats(world.now);
      if (isGone) openAfter.add(pending);
    }
    expect(await removing).toBe(true);
    expect([...openAfter]).toEqual([0]);
  });
}

function shownBy({ destination: { id, url, settings, sealedSecret, version } }: Outgoing) {
  return { id, url, settings, secret: sealedSecret && [...sealedSecret], version };
}
