import { createHmac } from 'node:crypto';
import type { EventTypeAnswer } from '../../../src/api/types/event-type-answer.ts';
import { BorrowedBody } from '../../../src/core/http/borrowed-body.ts';
import type { CapturedRequest } from '../../../src/core/http/captured-request.ts';
import { newId } from '../../../src/core/ids.ts';
import type { Store } from '../../../src/store/contract/store.ts';
import { callApi, capture, expectStatus } from '../../fixtures/account.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { runServer, tempDir } from '../../fixtures/running-server.ts';
import { storedIssue } from '../../fixtures/stored-issue.ts';
import { until } from '../../fixtures/until.ts';
import { withStore } from '../../fixtures/with-store.ts';
import { CREDENTIALS } from './open-page.ts';

export interface Furnished {
  url: string;
  endpointId: string;
  /** A JSON event that was delivered to one destination and not to the other. */
  eventId: string;
  /** An event of the same kind with other values. */
  otherId: string;
  /** An endpoint with a paused destination and one whose breaker is open. */
  heldId: string;
  /** An event that waits for both. */
  heldEventId: string;
  /** An edited copy of it, which also waits for both and went once to a URL. */
  copyId: string;
  /** An event of the same endpoint whose proof failed. */
  forgedId: string;
  /** One that repeats an earlier one with another body. */
  repeatId: string;
  /** A request that the endpoint refused. */
  rejectedId: string;
  /** An open issue of the same endpoint, with an event that shows it. */
  issueId: string;
}

const ORDER = (n: number, total: string) => `{
  "id": ${9007199254740993n + BigInt(n)},
  "type": "order.created",
  "created": "2026-11-21T09:3${n % 10}:00Z",
  "customer": {"name": "Grace Hopper", "email": "grace@example.com", "vip": ${n % 2 === 0}},
  "items": [
    {"sku": "HR-${n}", "title": "Relay, 24 V", "quantity": ${(n % 3) + 1}, "price": 12.50},
    {"sku": "HR-9", "title": "Socket", "quantity": 1, "price": 4.00}
  ],
  "total": ${total},
  "note": null
}`;

/** A server with an account that has content in every view, for the past day. */
export async function furnish(): Promise<Furnished> {
  const dataDir = tempDir();
  const flags = {
    dataDir,
    retryBase: 60_000,
    retryMax: 60_000,
    defaultPlan: 'starter',
    breakerFailures: FAILURES,
    breakerAfter: 0,
    breakerProbe: 300_000,
  } as const;
  const target = await httpReceiver((request, res) => {
    const delayMs = 15 + (request.body.length % 7) * 12;
    setTimeout(() => {
      if (request.target.startsWith('/billing') && request.body.includes('"vip": true')) {
        res.writeHead(503).end('{"error": "the database is down"}');
      } else if (request.target.startsWith('/crm')) {
        res.writeHead(502).end('bad gateway');
      } else {
        res.end('{"ok": true}');
      }
    }, delayMs);
  });

  const first = await runServer(flags);
  const owner = await signedUp(first.url);
  const orders = await owner(201, 'POST', '/api/endpoints', { name: 'orders' });
  await owner(201, 'POST', '/api/endpoints', { name: 'staging' });
  const legacy = await owner(201, 'POST', '/api/endpoints', { name: 'legacy shop' });
  await owner(200, 'PATCH', `/api/endpoints/${legacy.id}`, { is_active: false });
  const path = `/api/endpoints/${orders.id}/destinations`;
  const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
  await owner(201, 'POST', path, { url: `${target.url}/warehouse`, secret });
  await owner(201, 'POST', path, { url: `${target.url}/billing` });
  await first.stop();
  await withStore(dataDir, (store) => addYesterday(store, orders.public_token));

  const server = await runServer(flags);
  const call = await signedIn(server.url);
  const captureUrl = `${server.url}/in/${orders.public_token}`;
  const send = (sample: string) =>
    call(201, 'POST', `/api/endpoints/${orders.id}/test-events`, { sample });
  for (const sample of ['github.push', 'stripe.invoice.paid', 'shopify.orders.create']) {
    await send(sample);
  }
  const ids: string[] = [];
  for (let n = 1; n <= 9; n++) {
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'shop/2.4',
      'x-request-id': `req-${n}`,
    };
    const method = n % 4 === 3 ? 'PUT' : 'POST';
    const url = `${captureUrl}/v1/orders?shop=${n}`;
    ids.push(await capture(url, ORDER(n, `${n}3.50`), { method, headers }));
  }
  for (const sample of ['stripe.payment_intent.succeeded', 'github.pull_request']) {
    await send(sample);
  }
  await until('all is attempted', async () => {
    const query = `/api/endpoints/${orders.id}/events?limit=1&status=received`;
    return (await call(200, 'GET', query)).total === 0;
  });
  await until('a type is learned', async () => {
    const types: EventTypeAnswer[] = await call(200, 'GET', `/api/endpoints/${orders.id}/types`);
    return types.some(({ type }) => type === 'push');
  });
  const held = await addHeld(call, server.url, target.url);
  await addAccount(call, target.url);
  storedIssue(server, orders.id, { kind: 'drift', subject: 'order.created', count: 4 });
  // A repeat with another body opens one.
  const issueId = await until('an issue is open', async () => {
    const { data } = await call(200, 'GET', `/api/issues?endpoint=${held.heldId}&kind=conflict`);
    return data[0]?.id as string | undefined;
  });
  return {
    url: server.url,
    endpointId: orders.id,
    eventId: ids[7] as string,
    otherId: ids[8] as string,
    ...held,
    issueId,
  };
}

/** What the settings of the account list. */
async function addAccount(call: Call, targetUrl: string): Promise<void> {
  await call(201, 'POST', '/api/tokens', { name: 'nightly export' });
  await call(201, 'POST', '/api/channels', { type: 'webhook', url: `${targetUrl}/alerts` });
}

/** Failures in a row that open a breaker: more than one of `orders` has. */
const FAILURES = 6;

/** An endpoint whose destinations hold their deliveries back. */
async function addHeld(
  call: Call,
  url: string,
  targetUrl: string,
): Promise<Omit<Furnished, 'url' | 'endpointId' | 'eventId' | 'otherId' | 'issueId'>> {
  const { id, public_token } = await call(201, 'POST', '/api/endpoints', { name: 'customers' });
  const path = `/api/endpoints/${id}/destinations`;
  await call(201, 'POST', path, {
    name: 'archive',
    url: `${targetUrl}/archive`,
    state: 'paused',
    filter: 'body.type=order.created and body.total>5',
    rate: { limit: 10, per: 'second' },
    retry: { attempts: 8, base: '5s', factor: 5, max: '24h', give_up_on: ['4xx', 501] },
    headers: { authorization: 'Bearer 6f9c2d', 'x-shop': 'north' },
  });
  const crm = await call(201, 'POST', path, { name: 'CRM', url: `${targetUrl}/crm` });
  const ids: string[] = [];
  for (let n = 1; n <= FAILURES; n++) {
    ids.push(await capture(`${url}/in/${public_token}`, ORDER(n, '10.00')));
  }
  await until('the breaker is open', async () => {
    return (await call(200, 'GET', `${path}/${crm.id}`)).health.state === 'open';
  });
  const events = `/api/endpoints/${id}/events`;
  const copy = await call(201, 'POST', `${events}/${ids[0]}/edit`, { path: '/v2/orders' });
  await call(202, 'POST', `${events}/${copy.id}/replay`, { url: `${targetUrl}/debug` });
  // Only the copy: the other events stay failed.
  await call(202, 'POST', `/api/endpoints/${id}/replay`, { where: 'path=/v2/orders' });
  const proven = await addProof(call, id, `${url}/in/${public_token}`);
  return { heldId: id, heldEventId: ids[0] as string, copyId: copy.id, ...proven };
}

const GITHUB_SECRET = 'a secret that two sides know';

/** Gives an endpoint an enforced source, and requests with each verdict. */
async function addProof(
  call: Call,
  endpointId: string,
  captureUrl: string,
): Promise<Pick<Furnished, 'forgedId' | 'repeatId' | 'rejectedId'>> {
  const path = `/api/endpoints/${endpointId}`;
  const source = { provider: 'github', secrets: [GITHUB_SECRET, 'the secret before'] };
  await call(200, 'PATCH', path, { source, dedupe: { by: ['body.id'] } });
  const headersOf = (body: string, secret: string) => {
    const hex = createHmac('sha256', secret).update(body).digest('hex');
    return { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${hex}` };
  };
  const send = (body: string, secret: string) =>
    capture(captureUrl, body, { headers: headersOf(body, secret) });
  await send('{"id": 1}', GITHUB_SECRET);
  const repeatId = await send('{"id": 1, "more": true}', GITHUB_SECRET);
  const forgedId = await send('{"id": 2}', 'a guess');
  await call(200, 'PATCH', path, { source: { enforce: true } });
  const headers = headersOf('{"id": 3}', 'a guess');
  await fetch(`${captureUrl}/push`, { method: 'POST', body: '{"id": 3}', headers });
  const rejectedId = await until('the request is kept', async () => {
    const { data } = await call(200, 'GET', `${path}/rejected`);
    return data[0]?.id as string | undefined;
  });
  return { forgedId, repeatId, rejectedId };
}

/** Calls the API and checks the status. */
// biome-ignore lint/suspicious/noExplicitAny: the API's JSON, looked into by tests
type Call = (status: number, method: string, path: string, body?: unknown) => Promise<any>;

const signedUp = (url: string) => enter(url, 201, 'register');
const signedIn = (url: string) => enter(url, 200, 'login');

async function enter(url: string, status: number, way: string): Promise<Call> {
  const answer = await callApi({ url }, 'POST', `/api/auth/${way}`, CREDENTIALS);
  const headers = { authorization: `Bearer ${expectStatus(status, answer).accessToken}` };
  return async (wanted, method, path, body) =>
    expectStatus(wanted, await callApi({ url }, method, path, body, { headers }));
}

const HOUR_MS = 3_600_000;

/**
 * Events and attempts of the 23 hours before now, written by the store: only it
 * takes past times.
 */
async function addYesterday(store: Store, publicToken: string): Promise<void> {
  const thisHour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const endpoint = await store.endpoints.findByPublicToken(publicToken);
  const destinations = endpoint ? await store.destinations.list(endpoint.key) : [];
  const billing = destinations.find(({ url }) => url.endsWith('/billing'));
  for (let hour = 23; hour >= 1; hour--) {
    const at = thisHour - hour * HOUR_MS;
    const count = Math.round(12 + 9 * Math.sin(hour / 3.2) + (hour % 5));
    const requests = Array.from({ length: count }, (_, i): CapturedRequest => {
      const receivedAt = at + Math.floor(((i + 0.5) * HOUR_MS) / count);
      return {
        id: newId('evt', receivedAt),
        publicToken,
        method: 'POST',
        path: '/v1/orders',
        query: '',
        rawHeaders: ['Content-Type', 'application/json'],
        body: new BorrowedBody(Buffer.from(ORDER(i, '10.00'))),
        contentType: 'application/json',
        sourceIp: '192.0.2.10',
        receivedAt,
        provider: null,
        eventType: null,
      };
    });
    const terms = { leaseUntil: Date.now() + HOUR_MS, limit: 1000, skip: new Set<number>() };
    const { claimed } = await store.events.appendBatch(requests, terms);
    await store.queue.settle(
      claimed.map((claim, i) => {
        const isDown = claim.destination.id === billing?.id && hour >= 9 && hour <= 12 && i % 3 > 0;
        return {
          claim,
          attempt: {
            id: newId('att', at),
            destinationUrl: billing?.url ?? '',
            responseCode: isDown ? 503 : 200,
            responseHeaders: null,
            responseBody: isDown ? 'down' : 'ok',
            responseTruncated: false,
            durationMs: Math.round((isDown ? 420 : 60) + 25 * Math.sin(hour / 2) + (i % 4) * 6),
            error: null,
            attemptedAt: at + i * 1000,
            requestHeaders: null,
            ruleVersion: null,
          },
          timedOut: false,
          reach: isDown ? ('failed' as const) : ('answered' as const),
          holdMs: null,
          next: { state: isDown ? ('dead' as const) : ('succeeded' as const) },
        };
      }),
      BREAKER,
    );
  }
}
