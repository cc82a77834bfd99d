import { beforeAll, describe, expect, test } from 'vitest';
import type { EndpointAnswer } from '../../src/api/endpoints/endpoint-answer.ts';
import { keepSecret } from '../../src/capture/keep-secret.ts';
import type { Endpoint as StoredEndpoint } from '../../src/core/model.ts';
import { type Account, expectStatus, register } from '../fixtures/account.ts';
import { request } from '../fixtures/http-request.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { serverOfFile } from '../fixtures/running-server.ts';
import { until } from '../fixtures/until.ts';
import { hmac } from '../fixtures/url-checks.ts';

/* Handshakes that bring the secret of an endpoint's source. */

failOnLeaks();
const server = serverOfFile();
const FIRST = 'b537207f20cbfa02357cf448134da559e8bd39d61597dcd5631b8012eae53e81';
const SECOND = 'secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl';

let account: Account;

beforeAll(async () => {
  server.secrets.push(FIRST, SECOND);
  account = await register(server);
});

const shake = {
  asana: ({ capture_url }: EndpointAnswer, secret: string) =>
    request(capture_url, { method: 'POST', headers: { 'X-Hook-Secret': secret }, body: '{}' }),
  notion: ({ capture_url }: EndpointAnswer, secret: string) =>
    request(capture_url, { method: 'POST', body: JSON.stringify({ verification_token: secret }) }),
};
const signed = {
  asana: ({ capture_url }: EndpointAnswer, secret: string) =>
    request(capture_url, {
      method: 'POST',
      headers: { 'X-Hook-Signature': hmac(secret, '{"events":[]}') },
      body: '{"events":[]}',
    }),
  notion: ({ capture_url }: EndpointAnswer, secret: string) =>
    request(capture_url, {
      method: 'POST',
      headers: { 'X-Notion-Signature': `sha256=${hmac(secret, '{"id":"1"}')}` },
      body: '{"id":"1"}',
    }),
};
const PROVIDERS = ['asana', 'notion'] as const;

const found = async ({ id }: EndpointAnswer): Promise<EndpointAnswer> =>
  expectStatus(200, await account.call('GET', `/api/endpoints/${id}`));
const change = (endpoint: EndpointAnswer, source: object) =>
  account.call('PATCH', `/api/endpoints/${endpoint.id}`, { source });

describe.each(PROVIDERS)('%s', (provider) => {
  test('brings its secret, by which the next request is judged', async () => {
    const receiver = await httpReceiver();
    const endpoint = await account.createEndpoint({ source: { provider, enforce: true } });
    expect(endpoint.source).toMatchObject({ provider, secrets: [], enforce: true });
    await account.addDestination(endpoint, receiver.url);
    const early = await signed[provider](endpoint, FIRST);
    expect([early.status, early.json.error.code]).toEqual([503, 'key_unavailable']);
    const answer = await shake[provider](endpoint, FIRST);
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(answer.headers['x-hook-secret']).toBe(provider === 'asana' ? FIRST : undefined);
    expect((await found(endpoint)).source?.secrets).toEqual([`********${FIRST.slice(-4)}`]);
    const event = await account.event(endpoint, answer.headers['x-hookrelay-event-id'] as string);
    expect(event).toMatchObject({
      status: 'received',
      verification: { state: 'unverified', provider, secret: null, reason: null },
    });
    // The page of a person who pastes it into Notion shows the body.
    expect(JSON.stringify(event).includes(FIRST)).toBe(provider === 'notion');
    const verified = await signed[provider](endpoint, FIRST);
    expect(verified.status).toBe(200);
    expect((await account.event(endpoint, verified.json.event_id)).verification).toEqual({
      ...{ state: 'verified', provider, secret: 1, reason: null },
    });
    await receiver.received(1);
    expect(receiver.requests).toHaveLength(1);
    // The one that came too early was kept, and passes by now.
    const kept = `/api/endpoints/${endpoint.id}/rejected`;
    const { data } = expectStatus(200, await account.call('GET', kept));
    const accepted = await account.call('POST', `${kept}/${data[0].id}/accept`);
    expect(expectStatus(201, accepted).verification.state).toBe('verified');
  });

  test('never replaces a secret: another one is judged like any request', async () => {
    const endpoint = await account.createEndpoint({
      source: { provider, secrets: [FIRST], enforce: true },
    });
    const answer = await shake[provider](endpoint, SECOND);
    expect(answer.status).toBe(401);
    expect(answer.headers['x-hook-secret']).toBeUndefined();
    expect((await signed[provider](endpoint, FIRST)).status).toBe(200);
    await change(endpoint, { enforce: false });
    const event = (await shake[provider](endpoint, SECOND)).json.event_id;
    expect((await account.event(endpoint, event)).verification.state).toBe('failed');
    expect((await signed[provider](endpoint, FIRST)).status).toBe(200);
  });

  test('is answered again with the secret that is there: the first answer may be lost', async () => {
    const endpoint = await account.createEndpoint({
      source: { provider, secrets: [SECOND, FIRST], enforce: true },
    });
    const answer = await shake[provider](endpoint, FIRST);
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(answer.headers['x-hook-secret']).toBe(provider === 'asana' ? FIRST : undefined);
    const event = await account.event(endpoint, answer.headers['x-hookrelay-event-id'] as string);
    expect(event.verification.state).toBe('unverified');
    expect(JSON.stringify(event).includes(FIRST)).toBe(provider === 'notion');
    expect((await found(endpoint)).source?.secrets).toHaveLength(2);
    expect((await signed[provider](endpoint, SECOND)).status).toBe(200);
  });

  test('brings two at once: one is kept, and only its sender is answered', async () => {
    const endpoint = await account.createEndpoint({ source: { provider } });
    const secrets = Array.from({ length: 10 }, (_, i) => `${FIRST}${i}`);
    const answers = await Promise.all(secrets.map((secret) => shake[provider](endpoint, secret)));
    const verdicts = await Promise.all(
      secrets.map(async (secret) => {
        const { json } = await signed[provider](endpoint, secret);
        return (await account.event(endpoint, json.event_id)).verification.state;
      }),
    );
    expect(verdicts.filter((state) => state === 'verified')).toHaveLength(1);
    const kept = verdicts.indexOf('verified');
    for (const [i, { status, text, json, headers }] of answers.entries()) {
      if (i === kept) expect([status, text]).toEqual([200, '']);
      else if (status === 503) {
        expect(json.error.code).toBe('handshake_failed');
        expect(headers['retry-after']).toBe('5');
      } else expect(json.received).toBe(true);
      if (i !== kept) expect(headers['x-hook-secret']).toBeUndefined();
    }
  });

  test('is in the audit, without the secret, and can be reset', async () => {
    const endpoint = await account.createEndpoint({ source: { provider } });
    await shake[provider](endpoint, FIRST);
    const { data } = expectStatus(200, await account.call('GET', '/api/audit'));
    expect(data[0]).toMatchObject({
      action: 'endpoint.update',
      actor: { type: 'system', id: null, name: provider, address: null },
      target: { type: 'endpoint', id: endpoint.id },
      changes: { source: [{ secrets: [] }, { secrets: [`********${FIRST.slice(-4)}`] }] },
    });
    expect(JSON.stringify(data)).not.toContain(FIRST);
    expect((await change(endpoint, { provider, secrets: [] })).status).toBe(200);
    expect((await shake[provider](endpoint, SECOND)).status).toBe(200);
    expect((await signed[provider](endpoint, SECOND)).status).toBe(200);
    expect((await found(endpoint)).source?.secrets).toEqual([`********${SECOND.slice(-4)}`]);
  });

  test.each(['', 'too short', 'x'.repeat(257), 'with a blank in between'])(
    'doesn’t bring %j',
    async (secret) => {
      const endpoint = await account.createEndpoint({ source: { provider, enforce: true } });
      expect((await shake[provider](endpoint, secret)).status).toBe(503);
      expect((await found(endpoint)).source?.secrets).toEqual([]);
    },
  );
});

test('a header that may bring the secret is masked wherever the request is stored', async () => {
  const endpoint = await account.createEndpoint({
    source: { provider: 'asana', secrets: [FIRST], enforce: true },
  });
  expect((await shake.asana(endpoint, SECOND)).status).toBe(401);
  const path = `/api/endpoints/${endpoint.id}/rejected`;
  const { data } = expectStatus(200, await account.call('GET', path));
  const rejected = expectStatus(200, await account.call('GET', `${path}/${data[0].id}`));
  await change(endpoint, { enforce: false });
  const { json } = await shake.asana(endpoint, SECOND);
  const event = await account.event(endpoint, json.event_id);
  for (const { raw_headers } of [rejected, event]) {
    expect(raw_headers).toContainEqual(['X-Hook-Secret', '********']);
    expect(JSON.stringify(raw_headers)).not.toContain(SECOND);
  }
});

describe('an issue', () => {
  const issuesOf = async ({ id }: EndpointAnswer) =>
    expectStatus(200, await account.call('GET', `/api/issues?endpoint=${id}`)).data;
  const state = async (endpoint: EndpointAnswer) => (await issuesOf(endpoint))[0]?.state;
  const opened = (endpoint: EndpointAnswer) =>
    until('its issue opens', async () => (await state(endpoint)) === 'open');
  const made = async () => {
    const endpoint = await account.createEndpoint({ source: { provider: 'asana' } });
    const answer = await shake.asana(endpoint, FIRST);
    await opened(endpoint);
    return { endpoint, eventId: answer.headers['x-hookrelay-event-id'] };
  };

  test('opens for a secret that came so, until a person resolves it', async () => {
    const { endpoint, eventId } = await made();
    const [issue] = await issuesOf(endpoint);
    expect(issue).toMatchObject({ kind: 'verification', count: 1, event_ids: [eventId] });
    expect(issue.title).toContain('nobody has confirmed its secret');
    expect(issue.suggestion).toContain(`hookrelay issues resolve ${issue.id}`);
    const resolved = { state: 'resolved' };
    expectStatus(200, await account.call('PATCH', `/api/issues/${issue.id}`, resolved));
    // A change that has nothing to do with it lets the server look again.
    await change(endpoint, { enforce: true });
    const other = await made();
    expect([await state(endpoint), await state(other.endpoint)]).toEqual(['resolved', 'open']);
    // The next one is a stranger's until it is confirmed, too.
    await change(endpoint, { secrets: [] });
    await shake.asana(endpoint, SECOND);
    await opened(endpoint);
  });

  test.each([
    ['sets the secret', { secrets: [SECOND] }],
    ['keeps it', { keep_secrets: [1] }],
    ['removes the source', null],
  ])('is over once a person %s', async (_, source) => {
    const { endpoint } = await made();
    const path = `/api/endpoints/${endpoint.id}`;
    await change(endpoint, { enforce: true });
    expectStatus(200, await account.call('PATCH', path, { source }));
    await until('it is over', async () => (await state(endpoint)) === 'resolved');
  });

  test('is none where a person has set the secret', async () => {
    const endpoint = await account.createEndpoint({
      source: { provider: 'asana', secrets: [FIRST] },
    });
    await shake.asana(endpoint, FIRST);
    await made();
    expect(await issuesOf(endpoint)).toEqual([]);
  });
});

test('only such a provider may have no secret', async () => {
  const endpoint = await account.createEndpoint();
  for (const source of [{ provider: 'stripe', secrets: [] }, { secrets: [] }]) {
    expect((await change(endpoint, source)).status).toBe(400);
  }
  expect((await change(endpoint, { provider: 'asana' })).status).toBe(200);
  const refused = expectStatus(400, await change(endpoint, { provider: 'stripe' }));
  expect(refused.error.issues).toEqual([
    { path: 'source.secrets', message: 'must be sent with another provider' },
  ]);
});

test('an event of such a source can’t be signed while it has no secret', async () => {
  const endpoint = await account.createEndpoint({ source: { provider: 'asana' } });
  const path = `/api/endpoints/${endpoint.id}/destinations`;
  const input = { url: 'http://127.0.0.1:1/', sign_as: 'provider' };
  const { error } = expectStatus(400, await account.call('POST', path, input));
  expect(error.issues[0].message).toMatch(/has no secret yet/);
});

describe('keepSecret', () => {
  const source = { provider: 'asana', enforce: false, url: null, in: null, scheme: null };
  const keys = {
    open: (sealed: Uint8Array) => Buffer.from(sealed).toString(),
    seal: (text: string) => Buffer.from(text),
  };
  const endpointWith = (secrets: string | null) =>
    ({
      id: 'ep_1',
      key: 1,
      source: secrets === null ? null : { ...source, sealedSecrets: Buffer.from(secrets) },
    }) as unknown as StoredEndpoint;

  /** @param states what is there at each look */
  async function kept(states: (string | null)[]): Promise<string[]> {
    const seen: string[] = [];
    let look = -1;
    await keepSecret(
      'token',
      FIRST,
      { at: 1, eventId: 'evt_1' },
      {
        keys,
        endpoints: {
          async findByPublicToken() {
            look++;
            return endpointWith(states[look] ?? null);
          },
          async update(_key, { source: after }) {
            if (look < states.length - 1) return 'changed';
            seen.push(keys.open(after?.sealedSecrets ?? new Uint8Array()));
            return endpointWith('[]');
          },
        },
        async onKept() {
          seen.push('told');
        },
      },
    );
    return seen;
  }

  test('looks again when somebody changes the source at the same time', async () => {
    expect(await kept(['[]', '[]'])).toEqual([JSON.stringify([FIRST]), 'told']);
    expect(await kept(['[]', JSON.stringify([FIRST])])).toEqual([]);
    await expect(kept(['[]', JSON.stringify([SECOND])])).rejects.toThrow(/another secret/);
    await expect(kept(['[]', null])).rejects.toThrow(/removed/);
  });
});
