import http from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Account, callApi, capture, expectStatus, register } from '../fixtures/account.ts';
import { expireToken, makeToken } from '../fixtures/api-tokens.ts';
import type { RequestOptions } from '../fixtures/http-request.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { learned } from '../fixtures/learned.ts';
import { rejectedRequest } from '../fixtures/rejected-request.ts';
import { serverOfFile } from '../fixtures/running-server.ts';
import { storedIssue } from '../fixtures/stored-issue.ts';
import { until } from '../fixtures/until.ts';

/*
 * Who may call what: every operation of the OpenAPI document with every kind of token. A
 * new route fails until it has a line in NEEDS.
 */

failOnLeaks();
const server = serverOfFile({ defaultPlan: 'pro', ai: 'builtin' });

/**
 * What an operation needs: nothing, a login, the whole account, part of it, or an endpoint;
 * and the scope of API tokens.
 */
type Need = 'public' | 'session' | `${'account' | 'part' | 'endpoint'} ${'read' | 'write'}`;

const NEEDS: Record<string, Need> = {
  'GET /healthz': 'public',
  'GET /readyz': 'public',
  'GET /metrics': 'public',
  'GET /api/openapi.json': 'public',
  'POST /api/auth/register': 'public',
  'POST /api/auth/login': 'public',
  'POST /api/auth/refresh': 'public',
  'POST /api/auth/logout': 'public',
  'POST /api/auth/password': 'session',
  'GET /api/sessions': 'session',
  'DELETE /api/sessions/{sessionId}': 'session',
  'GET /api/tokens': 'session',
  'POST /api/tokens': 'session',
  'DELETE /api/tokens/{tokenId}': 'session',
  'GET /api/audit': 'account read',
  'GET /api/issues': 'part read',
  'GET /api/issues/{issueId}': 'endpoint read',
  'PATCH /api/issues/{issueId}': 'endpoint write',
  'GET /api/channels': 'account read',
  'POST /api/channels': 'account write',
  'GET /api/channels/{channelId}': 'account read',
  'PATCH /api/channels/{channelId}': 'account write',
  'DELETE /api/channels/{channelId}': 'account write',
  'POST /api/channels/{channelId}/test': 'account write',
  'POST /api/endpoints': 'account write',
  'GET /api/me': 'part read',
  'GET /api/samples': 'part read',
  'GET /api/providers': 'part read',
  'GET /api/endpoints': 'part read',
  'GET /api/stream': 'part read',
  'GET /api/events': 'part read',
  'GET /api/events/{eventId}': 'endpoint read',
  'POST /api/events/{eventId}/signed-headers': 'endpoint write',
  'GET /api/endpoints/{id}': 'endpoint read',
  'PATCH /api/endpoints/{id}': 'endpoint write',
  'DELETE /api/endpoints/{id}': 'endpoint write',
  'GET /api/endpoints/{id}/stream': 'endpoint read',
  'GET /api/overview': 'part read',
  'GET /api/system': 'account read',
  'GET /api/endpoints/{id}/stats': 'endpoint read',
  'GET /api/endpoints/{id}/destination-stats': 'endpoint read',
  'POST /api/endpoints/{id}/test-events': 'endpoint write',
  'POST /api/endpoints/{id}/replay': 'endpoint write',
  'POST /api/endpoints/{id}/rules/try': 'endpoint read',
  'POST /api/endpoints/{id}/source/check': 'endpoint read',
  'GET /api/endpoints/{id}/types': 'endpoint read',
  'GET /api/endpoints/{id}/types/schema': 'endpoint read',
  'GET /api/endpoints/{id}/types/{type}/schema': 'endpoint read',
  'GET /api/endpoints/{id}/rejected': 'endpoint read',
  'GET /api/endpoints/{id}/rejected/{rejectedId}': 'endpoint read',
  'POST /api/endpoints/{id}/rejected/{rejectedId}/accept': 'endpoint write',
  'GET /api/endpoints/{id}/destinations': 'endpoint read',
  'POST /api/endpoints/{id}/destinations': 'endpoint write',
  'GET /api/endpoints/{id}/destinations/{destinationId}': 'endpoint read',
  'PATCH /api/endpoints/{id}/destinations/{destinationId}': 'endpoint write',
  'DELETE /api/endpoints/{id}/destinations/{destinationId}': 'endpoint write',
  'GET /api/endpoints/{id}/destinations/{destinationId}/rules': 'endpoint read',
  'POST /api/endpoints/{id}/destinations/{destinationId}/rules/{version}': 'endpoint write',
  'POST /api/endpoints/{id}/destinations/{destinationId}/probe': 'endpoint write',
  'POST /api/endpoints/{id}/destinations/{destinationId}/discard': 'endpoint write',
  'POST /api/endpoints/{id}/destinations/{destinationId}/rotate-secret': 'endpoint write',
  'GET /api/endpoints/{id}/replays': 'endpoint read',
  'GET /api/endpoints/{id}/replays/{jobId}': 'endpoint read',
  'DELETE /api/endpoints/{id}/replays/{jobId}': 'endpoint write',
  'GET /api/endpoints/{id}/deliveries': 'endpoint read',
  'GET /api/deliveries/{deliveryId}': 'endpoint read',
  'POST /api/deliveries/{deliveryId}/retry': 'endpoint write',
  'POST /api/deliveries/{deliveryId}/cancel': 'endpoint write',
  'GET /api/attempts/{attemptId}/request': 'endpoint read',
  'GET /api/endpoints/{id}/events': 'endpoint read',
  'GET /api/endpoints/{id}/events/{eventId}': 'endpoint read',
  'GET /api/endpoints/{id}/events/{eventId}/raw': 'endpoint read',
  'GET /api/endpoints/{id}/events/{eventId}/deliveries': 'endpoint read',
  'POST /api/endpoints/{id}/events/{eventId}/replay': 'endpoint write',
  'POST /api/endpoints/{id}/events/{eventId}/edit': 'endpoint write',
  'DELETE /api/endpoints/{id}/events/{eventId}': 'endpoint write',
  'GET /api/endpoints/{id}/events/{eventId}/ai/explain': 'endpoint read',
  'GET /api/endpoints/{id}/events/{eventId}/ai/schema': 'endpoint read',
  'GET /api/endpoints/{id}/events/{eventId}/ai/diagnose': 'endpoint read',
  'POST /api/endpoints/{id}/events/{eventId}/ai/handler': 'endpoint read',
};

/** The kinds of callers; `elsewhere` is limited to another endpoint than the one called. */
const CALLERS = ['none', 'expired', 'read', 'write', 'limited', 'elsewhere', 'session'] as const;
type Caller = (typeof CALLERS)[number];

/** The answer: an error, or `allowed`, which includes errors in the input. */
function expected(need: Need, caller: Caller): string {
  if (need === 'public') return 'allowed';
  if (caller === 'none') return '401 missing_token';
  if (caller === 'expired') return '401 token_expired';
  if (caller === 'session') return 'allowed';
  if (need === 'session') return '403 session_required';
  const [reach, scope] = need.split(' ');
  if (scope === 'write' && caller === 'read') return '403 scope_required';
  const isLimited = caller === 'limited' || caller === 'elsewhere';
  if (reach === 'account' && isLimited) return '403 scope_required';
  if (reach === 'endpoint' && caller === 'elsewhere') return '404';
  return 'allowed';
}

let account: Account;
let ids: Record<string, string>;
const authorizations = {} as Record<Caller, string | undefined>;
/** An endpoint, and an event of the endpoint called, for each caller that may delete one. */
const toDelete = {} as Record<Caller, string>;
const eventsToDelete = {} as Record<Caller, string>;

beforeAll(async () => {
  account = await register(server);
  const endpoint = await account.createEndpoint();
  const other = await account.createEndpoint();
  for (const caller of CALLERS) toDelete[caller] = (await account.createEndpoint()).id;
  for (const caller of CALLERS) eventsToDelete[caller] = await capture(endpoint.capture_url, '{}');
  const { id: destinationId } = await account.addDestination(endpoint, 'http://127.0.0.1:1/');
  const eventId = await capture(endpoint.capture_url, '{"type": "ping"}');
  const attempt = await until('an attempt is on record', async () => {
    return (await account.attempts(endpoint, eventId))[0];
  });
  await capture(endpoint.capture_url, '{}', { headers: { 'x-github-event': 'push' } });
  await learned(account, endpoint, CALLERS.length + 2);
  const replay = `/api/endpoints/${endpoint.id}/replay`;
  const { job_id: jobId } = expectStatus(202, await account.call('POST', replay, {}));
  const channel = { type: 'slack', url: 'http://127.0.0.1:1/' };
  const { id: channelId } = expectStatus(201, await account.call('POST', '/api/channels', channel));
  ids = {
    id: endpoint.id,
    eventId,
    destinationId,
    deliveryId: attempt.delivery_id,
    attemptId: attempt.id,
    jobId,
    rejectedId: await rejectedRequest(account, endpoint),
    type: 'push',
    issueId: storedIssue(server, endpoint.id),
    channelId,
    tokenId: 'tok_none',
    sessionId: 'ses_none',
  };
  const make = async (rights: Parameters<typeof makeToken>[2]) =>
    makeToken(server, account, rights);
  const expired = await make({ expires_in: '1m' });
  expireToken(server, expired.id);
  Object.assign(authorizations, {
    none: undefined,
    session: account.authorization,
    expired: expired.authorization,
    read: (await make({ scopes: ['read'] })).authorization,
    write: (await make({})).authorization,
    limited: (await make({ endpoint_ids: [endpoint.id, toDelete.limited] })).authorization,
    elsewhere: (await make({ endpoint_ids: [other.id] })).authorization,
  });
});

/** Status and error code of an operation, with an input that changes as little as possible. */
async function answerOf(operation: string, caller: Caller): Promise<string> {
  const [method = '', path = ''] = operation.split(' ');
  const known =
    operation === 'DELETE /api/endpoints/{id}'
      ? { id: toDelete[caller] }
      : method === 'DELETE'
        ? {
            ...ids,
            destinationId: 'dst_none',
            channelId: 'chn_none',
            eventId: eventsToDelete[caller],
          }
        : ids;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => known[name as 'id'] as string);
  const authorization = authorizations[caller];
  const headers: RequestOptions['headers'] = authorization ? { authorization } : {};
  if (path.endsWith('/stream')) return streamStatus(filled, headers);
  // A dry run is told from its body, which is read before the scope.
  const body = operation === 'POST /api/endpoints/{id}/replay' ? '{}' : '{';
  const sent = method === 'POST' || method === 'PATCH' ? body : undefined;
  const { status, json } = await callApi(server, method, filled, sent, { headers });
  // A delivery has an error of its own.
  return status < 400 ? `${status}` : `${status} ${json?.error?.code ?? ''}`.trim();
}

function streamStatus(path: string, headers: http.OutgoingHttpHeaders): Promise<string> {
  return new Promise((resolve, reject) => {
    const req = http.get(server.url + path, { headers, agent: false }, (res) => {
      if (res.statusCode === 200) {
        req.destroy();
        resolve('200');
        return;
      }
      let text = '';
      res.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      res.on('end', () => resolve(`${res.statusCode} ${JSON.parse(text).error.code}`));
    });
    req.on('error', reject);
  });
}

test('every operation has a line here', async () => {
  const { paths } = expectStatus(200, await callApi(server, 'GET', '/api/openapi.json'));
  const names = Object.entries<Record<string, { security: { bearer: string[] }[] }>>(paths)
    .filter(([path]) => !path.startsWith('/in/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => {
        return [`${method.toUpperCase()} ${path}`, security] as const;
      }),
    );
  expect(names.map(([name]) => name).sort()).toEqual(Object.keys(NEEDS).sort());
  for (const [name, security] of names) {
    const need = NEEDS[name] as Need;
    const role = need.split(' ').at(-1);
    expect([name, security]).toEqual([name, need === 'public' ? [] : [{ bearer: [role] }]]);
  }
});

describe.each(CALLERS)('with the token “%s”', (caller) => {
  test.each(Object.entries(NEEDS))('%s (%s)', async (operation, need) => {
    const answer = await answerOf(operation, caller);
    const wanted = expected(need, caller);
    if (wanted !== 'allowed') {
      expect(answer.startsWith(wanted), answer).toBe(true);
      return;
    }
    expect(answer).not.toMatch(/^(401 (missing|invalid)_token|401 token|403|5)/);
    if (operation.startsWith('GET ')) expect(answer).toBe('200');
  });
});

test('an id beyond the limit is refused like an unknown one', async () => {
  const headers = { authorization: authorizations.elsewhere as string };
  for (const [path, unknown] of [
    [`/api/endpoints/${ids.id}`, '/api/endpoints/ep_none'],
    [`/api/events/${ids.eventId}`, '/api/events/evt_none'],
    [`/api/deliveries/${ids.deliveryId}`, '/api/deliveries/dlv_none'],
    [`/api/issues/${ids.issueId}`, '/api/issues/iss_none'],
    [`/api/endpoints/${ids.id}/types`, '/api/endpoints/ep_none/types'],
    [`/api/endpoints/${ids.id}/types/push/schema`, '/api/endpoints/ep_none/types/push/schema'],
    [`/api/attempts/${ids.attemptId}/request`, '/api/attempts/att_none/request'],
    [`/api/endpoints/${ids.id}/events/${ids.eventId}`, '/api/endpoints/ep_none/events/evt_none'],
    [`/api/endpoints/${ids.id}/replays/${ids.jobId}`, '/api/endpoints/ep_none/replays/job_none'],
    [
      `/api/endpoints/${ids.id}/rejected/${ids.rejectedId}`,
      '/api/endpoints/ep_none/rejected/rej_none',
    ],
  ]) {
    const answers = [path, unknown].map((one) =>
      callApi(server, 'GET', one as string, undefined, { headers }),
    );
    const [hidden, none] = await Promise.all(answers);
    expect([hidden?.status, hidden?.text]).toEqual([404, none?.text]);
  }
});

test('a refusal says how to get a token that may', async () => {
  const path = `/api/endpoints/${ids.id}`;
  const headers = { authorization: authorizations.read as string };
  const { json } = await callApi(server, 'PATCH', path, { name: 'x' }, { headers });
  expect(json.error).toEqual({
    code: 'scope_required',
    message: 'this API token lacks the scope write',
    hint: 'use a token with that scope: hookrelay tokens create NAME --scope write',
  });
});

test('the scope read is enough for a dry run', async () => {
  const path = `/api/endpoints/${ids.id}/replay`;
  const headers = { authorization: authorizations.read as string };
  const dry = await callApi(server, 'POST', path, { dry_run: true }, { headers });
  expect([dry.status, dry.json]).toEqual([200, { matching: expect.any(Number) }]);
  const real = await callApi(server, 'POST', path, { dry_run: false }, { headers });
  expect(real.status).toBe(403);
});
