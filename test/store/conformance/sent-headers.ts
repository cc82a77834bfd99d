import { expect, test } from 'vitest';
import type { HeaderPair } from '../../../src/core/model.ts';
import { deliveryRequest } from '../../../src/delivery/transports/webhook/delivery-request.ts';
import { readDestinationHeaders } from '../../../src/delivery/transports/webhook/destination-headers.ts';
import { sentHeaders } from '../../../src/delivery/transports/webhook/sent-headers.ts';
import type { ClaimedDelivery } from '../../../src/store/contract/claims.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { clearedWorlds, type OpenStore, type Outcome, only, type World } from './world.ts';

const SECRETS = [
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
];
const RAW = [
  ...['Host', 'hooks.example', 'Connection', 'keep-alive', 'X-Same', 'a', 'x-same', 'a'],
  ...[
    'Stripe-Signature',
    't=1,v1=5257a8',
    'X-Own',
    'of the sender',
    'X-Bytes',
    '\u00c3\u00a9\u0080',
  ],
  ...['webhook-id', 'msg_1', 'Content-Length', '2'],
];

interface Sending {
  secrets?: string[];
  /** The destination's own headers. */
  own?: Record<string, string>;
  outcome?: Outcome;
}

/** Makes an attempt with the headers that a webhook sends. Returns them. */
async function send(world: World, claim: ClaimedDelivery, sending: Sending): Promise<HeaderPair[]> {
  const { secrets = [], own, outcome = { retryInMs: 1500 } } = sending;
  const settlement = world.settlement(claim, outcome);
  const [outgoing] = await world.store.queue.begin([claim], world.now + 60_000, world.now);
  if (!outgoing || outgoing.request === 'damaged') throw new Error('the attempt did not begin');
  const { request, destination } = outgoing;
  const headers = own ? readDestinationHeaders(JSON.stringify(own)) : null;
  const made = deliveryRequest({
    ...{ request, eventId: claim.eventId, deliveryId: claim.id, trigger: claim.trigger },
    ...{ attempt: claim.attempts + 1, attemptedAt: world.now, url: destination.url },
    ...{ path: destination.settings.path, secrets, headers, verification: null, resign: null },
  });
  if ('code' in made) throw new Error(made.code);
  const sent = sentHeaders(made, headers?.names ?? null);
  const attempt = { ...settlement.attempt, destinationUrl: destination.url, requestHeaders: sent };
  const settled = { ...settlement, attempt, capturedHeaders: request.rawHeaders };
  const [first] = await world.store.queue.settle([settled], BREAKER);
  expect(first?.attempt.requestHeaders).toEqual(sent);
  // An attempt that was recorded before comes from the database.
  expect(await world.store.queue.settle([settled], BREAKER)).toEqual([first]);
  return sent;
}

export function sentHeaderConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);

  test('attempts keep the headers that they sent, whatever changes afterwards', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    const { id } = await world.destination(endpoint, { url: 'http://[::1]:8080/hook?a=1' });
    const event = await world.event(endpoint, { rawHeaders: RAW, body: '{}' });
    const sendings: Sending[] = [
      {},
      { secrets: SECRETS.slice(0, 1) },
      { secrets: SECRETS.toReversed() },
      {
        own: { 'x-own': 'top secret of the destination', authorization: 'Bearer abcdefghijklmnop' },
      },
      { own: { 'x-own': 'another secret' }, outcome: 'dead' },
    ];
    const sent: HeaderPair[][] = [];
    for (const sending of sendings) {
      sent.push(await send(world, only(await world.claimDue()), sending));
      world.now += 1500;
    }
    await world.store.replays.replay(endpoint.key, event.seq, world.now, world.terms({ limit: 0 }));
    sent.push(await send(world, only(await world.claimDue()), { outcome: 'succeeded' }));
    const url = 'https://elsewhere.example/';
    await world.store.destinations.update(endpoint.key, id, { url }, { at: world.now, by: null });
    await world.store.replays.replay(endpoint.key, event.seq, world.now, world.terms({ limit: 0 }));
    world.now += 1;
    sent.push(await send(world, only(await world.claimDue()), { outcome: 'succeeded' }));

    const listed = async () =>
      (await world.store.events.attempts(event.seq)).map(({ requestHeaders }) => requestHeaders);
    expect(await listed()).toEqual(sent);
    await world.store.destinations.remove(endpoint.key, id, world.now, true);
    expect(await listed()).toEqual(sent);
    const live = await world.store.live.attemptsAfter({ endpointKeys: [endpoint.key] }, 0, 100);
    expect(live.attempts.map(({ attempt }) => attempt.requestHeaders)).toEqual(sent);
    expect(JSON.stringify(sent)).not.toContain('secret');
  });

  test('headers of another form are kept whole', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    await world.destination(endpoint);
    const event = await world.event(endpoint, { rawHeaders: RAW });
    const email: HeaderPair[] = [
      ['from', '"Hook Relay" <relay@example.com>'],
      ['to', 'a@example.com'],
      ['message-id', `<${event.id}@example.com>`],
    ];
    for (const requestHeaders of [email, [], null, [['host', 'é\u0000']] as HeaderPair[]]) {
      const claim = only(await world.claimDue());
      const settlement = world.settlement(claim, { retryInMs: 1 });
      const attempt = { ...settlement.attempt, requestHeaders };
      await world.store.queue.settle([{ ...settlement, attempt, capturedHeaders: RAW }], BREAKER);
      expect((await world.store.events.attempts(event.seq)).at(-1)).toMatchObject({
        requestHeaders,
      });
      world.now += 1;
    }
  });
}
