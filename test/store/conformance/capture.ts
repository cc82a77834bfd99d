import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { UNTRIED } from '../../../src/core/flow/slot-class.ts';
import { newId } from '../../../src/core/ids.ts';
import type { EventSummary } from '../../../src/core/model.ts';
import { NOT_CHECKED } from '../../../src/core/proof/verification.ts';
import { NO_DELIVERIES } from '../../fixtures/no-deliveries.ts';
import {
  CLAIM_NOTHING,
  clearedWorlds,
  type OpenStore,
  only,
  settingsPatch,
  sharedWorld,
} from './world.ts';

const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, i) => i));

export function captureConformance(open: OpenStore): void {
  const shared = sharedWorld(open);
  const begin = clearedWorlds(open);
  const events = () => shared().store.events;

  test('an event is found as it was captured', async () => {
    const response = { status: 202, content_type: 'text/plain', body: 'thanks' };
    const endpoint = await shared().endpoint({ response });
    const request = shared().request(endpoint, {
      method: 'PROPFIND',
      path: '/a//b/%zz',
      query: 'a=1&a=%ff',
      contentType: 'application/json; charset=utf-8',
      body: '{"é":1}',
      sourceIp: '2001:db8::1',
      provider: 'github',
      eventType: 'push',
    });
    const { results } = await events().appendBatch([request], CLAIM_NOTHING);
    const result = only(results);
    const event: EventSummary = {
      seq: expect.any(Number),
      id: request.id,
      endpointId: endpoint.id,
      status: 'received',
      method: 'PROPFIND',
      path: '/a//b/%zz',
      contentType: 'application/json; charset=utf-8',
      size: 8,
      provider: 'github',
      eventType: 'push',
      sourceIp: '2001:db8::1',
      receivedAt: request.receivedAt,
      attempts: 0,
      outcome: null,
      editedFrom: null,
      verification: NOT_CHECKED,
      duplicateOf: null,
      isConflicting: false,
      unjudged: null,
      deliveryCounts: NO_DELIVERIES,
      heldBy: null,
    };
    expect(result).toEqual({
      stored: true,
      event,
      endpointKey: endpoint.key,
      userId: endpoint.userId,
      response,
    });
    const found = await events().find(endpoint.key, request.id);
    expect(found).toEqual(result.stored && result.event);
    expect(await events().findOwned(endpoint.userId, request.id)).toEqual({
      endpoint,
      event: found,
    });
  });

  test('an event is found only by its own endpoint and account', async () => {
    const endpoint = await shared().endpoint();
    const sibling = await shared().endpoint({ userId: endpoint.userId });
    const stranger = await shared().endpoint();
    const event = await shared().event(endpoint);
    expect(await events().find(sibling.key, event.id)).toBeNull();
    expect(await events().find(stranger.key, event.id)).toBeNull();
    expect(await events().findOwned(stranger.userId, event.id)).toBeNull();
    expect(await events().find(endpoint.key, newId('evt', 1))).toBeNull();
    expect(await events().findOwned(endpoint.userId, newId('evt', 1))).toBeNull();
    expect(await events().content(event.seq + 1000)).toBeNull();
    expect(await events().deliveries(event.seq + 1000, 0)).toEqual([]);
    expect(await events().attempts(event.seq + 1000)).toEqual([]);
  });

  describe('a body comes back byte for byte', () => {
    const bodies: [string, Buffer][] = [
      ['empty', Buffer.alloc(0)],
      ['every byte', ALL_BYTES],
      ['one NUL', Buffer.of(0)],
      ['NULs inside text', Buffer.from('a\0b\0')],
      ['invalid UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x22])],
      ['a cut character', Buffer.from('日本').subarray(0, 5)],
      ['a byte order mark', Buffer.from('\ufeff{}')],
      ['a lone surrogate, escaped', Buffer.from('"\\ud800"')],
      ['2 MiB that repeat', Buffer.concat(Array(8192).fill(ALL_BYTES))],
      ['100 KB of noise', randomBytes(100_000)],
      ['100 KB of text', Buffer.from('é{}'.repeat(25_000))],
      ['gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
    ];
    test.each(bodies)('%s', async (_, body) => {
      const endpoint = await shared().endpoint();
      const event = await shared().event(endpoint, { body });
      const content = await events().content(event.seq);
      expect(content?.body.equals(body)).toBe(true);
      expect(event.size).toBe(body.length);
      expect((await events().find(endpoint.key, event.id))?.size).toBe(body.length);
    });
  });

  test('a part of a larger buffer is stored as that part', async () => {
    const body = new Uint8Array(ALL_BYTES.buffer, ALL_BYTES.byteOffset + 10, 5);
    const event = await shared().event(await shared().endpoint(), { body });
    expect(await events().content(event.seq)).toMatchObject({ body: Buffer.from([...body]) });
    expect(event.size).toBe(5);
  });

  test('headers come back in order, with case, duplicates and Latin-1 values', async () => {
    const latin1 = Array.from({ length: 256 }, (_, i) => String.fromCharCode(i)).join('');
    const rawHeaders = ['X-B', '1', 'x-a', '', 'X-B', '2', 'x-b', latin1, '__proto__', '"\\'];
    const event = await shared().event(await shared().endpoint(), {
      rawHeaders,
      query: 'é=\u00ff&%00',
      path: '/\u00e9',
    });
    expect(await events().content(event.seq)).toEqual({
      rawHeaders,
      query: 'é=\u00ff&%00',
      body: Buffer.alloc(0),
    });
    expect(event.path).toBe('/\u00e9');
  });

  test('sequence numbers grow, whatever the clock does', async () => {
    const endpoint = await shared().endpoint();
    const at = shared().now;
    const first = await shared().events(endpoint, [{ receivedAt: at }, { receivedAt: at - 5000 }]);
    const second = await shared().events(endpoint, [{ receivedAt: at - 9000 }]);
    const seqs = [...first, ...second].map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    expect(new Set(seqs).size).toBe(3);
  });

  test('only requests of gone and paused endpoints are refused in a batch', async () => {
    const world = shared();
    const good = await world.endpoint();
    const paused = await world.endpoint({ is_active: false });
    const gone = await world.endpoint();
    await world.store.endpoints.remove(gone.key, world.now);
    const order = [gone, good, paused, good, gone];
    const requests = order.map((endpoint, i) => world.request(endpoint, { body: `${i}` }));
    requests.push({ ...world.request(good), publicToken: 'never was one' });
    const { results } = await events().appendBatch(requests, CLAIM_NOTHING);
    expect(results).toMatchObject([
      { stored: false, reason: 'endpoint_not_found' },
      { stored: true, event: { id: requests[1]?.id } },
      { stored: false, reason: 'endpoint_inactive' },
      { stored: true, event: { id: requests[3]?.id } },
      { stored: false, reason: 'endpoint_not_found' },
      { stored: false, reason: 'endpoint_not_found' },
    ]);
    expect((await world.listed(good)).map(({ id }) => id)).toEqual([
      requests[3]?.id,
      requests[1]?.id,
    ]);
    expect(await world.listed(paused)).toEqual([]);
  });

  test('an endpoint that is active again captures again', async () => {
    const endpoint = await shared().endpoint({ is_active: false });
    await shared().store.endpoints.update(endpoint.key, settingsPatch({ is_active: true }));
    expect(await shared().event(endpoint)).toMatchObject({ status: 'received' });
  });

  test('endpoint and destinations are read at the commit, not at the request', async () => {
    const world = await begin();
    const { endpoints, destinations, events } = world.store;
    const endpoint = await world.endpoint();
    const early = await world.destination(endpoint);
    const [first, second] = [world.request(endpoint), world.request(endpoint)];
    const late = await world.destination(endpoint);
    await destinations.remove(endpoint.key, early.id, world.now, false);
    const { claimed } = await events.appendBatch([first], world.terms());
    expect(claimed.map(({ destination }) => destination.id)).toEqual([late.id]);
    await endpoints.update(endpoint.key, settingsPatch({ is_active: false }));
    const { results } = await events.appendBatch([second], world.terms());
    expect(results).toEqual([{ stored: false, reason: 'endpoint_inactive' }]);
  });

  test('a batch that fails leaves nothing behind', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    const destination = await world.destination(endpoint);
    const taken = await world.event(endpoint);
    const good = world.request(endpoint);
    const bad = world.request(endpoint, { id: taken.id });
    await expect(world.store.events.appendBatch([good, bad], world.terms())).rejects.toThrow();
    expect(await world.listed(endpoint)).toEqual([taken]);
    expect(await world.store.events.find(endpoint.key, good.id)).toBeNull();
    const { results, claimed } = await world.capture(endpoint, [good], world.terms());
    expect(results).toMatchObject([{ stored: true }]);
    expect(claimed).toMatchObject([{ eventId: good.id, destination: { key: destination.key } }]);
  });

  describe('new deliveries', () => {
    test('are claimed and describe the event', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const sealedSecret = Buffer.from([1, 2, 0, 255]);
      const destination = await world.destination(endpoint, { sealedSecret });
      const { results, claimed, unclaimed } = await world.capture(
        endpoint,
        [{ body: 'abc' }],
        world.terms(),
      );
      const result = only(results);
      if (!result.stored) throw new Error('not stored');
      const claim = only(claimed);
      expect(claim.destination).toEqual({
        key: destination.key,
        id: destination.id,
        slotClass: UNTRIED,
        concurrency: 'auto',
        slots: null,
        isControlled: false,
        shownAs: destination.url,
      });
      const [begun] = await world.store.queue.begin([claim], world.now + 1000, world.now);
      expect(begun?.destination).toMatchObject({ id: destination.id, url: destination.url });
      expect(Buffer.from(begun?.destination.sealedSecret as Uint8Array)).toEqual(sealedSecret);
      expect(claimed).toMatchObject([
        {
          eventSeq: result.event.seq,
          eventId: result.event.id,
          endpointKey: endpoint.key,
          trigger: 'capture',
          attempts: 0,
          size: 3,
        },
      ]);
      expect(unclaimed.size).toBe(0);
      expect(await world.store.events.deliveries(result.event.seq, world.now)).toEqual([
        {
          id: only(claimed).id,
          destinationId: destination.id,
          destinationUrl: destination.url,
          trigger: 'capture',
          state: 'pending',
          attempts: 0,
          nextAttemptAt: world.now,
          waitsFor: null,
          unjudged: null,
        },
      ]);
      // Nobody else gets a claimed delivery.
      expect(await world.claimDue()).toEqual([]);
    });

    test('past the limit stay due in the table', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const a = await world.destination(endpoint);
      const b = await world.destination(endpoint);
      const { claimed, unclaimed } = await world.capture(
        endpoint,
        [{}, {}],
        world.terms({ limit: 3 }),
      );
      expect(claimed).toHaveLength(3);
      const due = await world.claimDue();
      const left = only(due);
      expect(unclaimed).toEqual(new Set([left.destination.key]));
      const all = [...claimed, left];
      expect(new Set(all.map(({ id }) => id)).size).toBe(4);
      expect(new Set(all.map(({ destination }) => destination.key))).toEqual(
        new Set([a.key, b.key]),
      );
    });

    test('of skipped destinations stay due in the table', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const skipped = await world.destination(endpoint);
      const taken = await world.destination(endpoint);
      const { claimed, unclaimed } = await world.capture(
        endpoint,
        [{}, {}],
        world.terms({ skip: new Set([skipped.key]) }),
      );
      expect(claimed.map(({ destination }) => destination.key)).toEqual([taken.key, taken.key]);
      expect(unclaimed).toEqual(new Set([skipped.key]));
      const due = await world.claimDue();
      expect(due.map(({ destination }) => destination.key)).toEqual([skipped.key, skipped.key]);
    });

    test('of unhealthy destinations are claimed up to a separate limit', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const healthy = await world.destination(endpoint);
      const before = await world.capture(endpoint, [{}], world.terms());
      await world.settle(only(before.claimed), 'succeeded');
      const untried = [await world.destination(endpoint), await world.destination(endpoint)];
      const { claimed, unclaimed } = await world.capture(
        endpoint,
        [{}, {}, {}],
        world.terms({ oneSlotLimit: 1 }),
      );
      const keys = claimed.map(({ destination }) => destination.key);
      expect(keys.filter((key) => key === healthy.key)).toHaveLength(3);
      // One delivery of one destination, because each has one slot.
      expect(keys).toHaveLength(4);
      expect(unclaimed).toEqual(new Set(untried.map(({ key }) => key)));
    });

    test('are not claimed with a limit of 0', async () => {
      const world = await begin();
      const endpoint = await world.endpoint();
      const destination = await world.destination(endpoint);
      const { claimed, unclaimed } = await world.capture(endpoint, [{}], CLAIM_NOTHING);
      expect(claimed).toEqual([]);
      expect(unclaimed).toEqual(new Set([destination.key]));
      expect(await world.claimDue()).toHaveLength(1);
    });
  });
}
