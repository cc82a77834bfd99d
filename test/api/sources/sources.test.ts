import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { EndpointAnswer } from '../../../src/api/endpoints/endpoint-answer.ts';
import { type Account, callApi, capture, expectStatus, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';

/* The source of an endpoint, what repeated requests are told by, and past events under a source. */

failOnLeaks();
const server = serverOfFile();

const FIRST = 'whsec_the_first_secret_1111';
const SECOND = 'whsec_the_second_secret_2222';
const SCHEME = {
  signature: 'header.x-signature',
  form: 'sha256={hex}',
  algorithm: 'hmac-sha256',
  signed: '{header.x-timestamp}.{body}',
  timestamp: 'header.x-timestamp',
};

async function made(input: Record<string, unknown> = {}) {
  server.secrets.push(FIRST, SECOND);
  const account = await register(server);
  const endpoint = await account.createEndpoint(input);
  return { account, endpoint };
}

const patch = (account: Account, { id }: Pick<EndpointAnswer, 'id'>, body: object) =>
  account.call('PATCH', `/api/endpoints/${id}`, body);
const patched = async (
  account: Account,
  endpoint: EndpointAnswer,
  body: object,
): Promise<EndpointAnswer> => expectStatus(200, await patch(account, endpoint, body));
const issuesOf = async (account: Account, endpoint: EndpointAnswer, body: object) =>
  expectStatus(400, await patch(account, endpoint, body)).error.issues;

/** Sends a body as Stripe does. */
function captureSigned(endpoint: EndpointAnswer, body: string, secret: string): Promise<string> {
  const t = Math.floor(Date.now() / 1000);
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  return capture(endpoint.capture_url, body, {
    headers: { 'stripe-signature': `t=${t},v1=${v1}` },
  });
}

describe('the source of an endpoint', () => {
  test('changed by many at once loses no change', async () => {
    const { account, endpoint } = await made({ source: { provider: 'stripe', secrets: [FIRST] } });
    const changes = [
      { source: { enforce: true } },
      { source: { secrets: [SECOND] } },
      { dedupe: { by: ['body.id'] } },
    ];
    await Promise.all(changes.map((change) => patched(account, endpoint, change)));
    const found = expectStatus(200, await account.call('GET', `/api/endpoints/${endpoint.id}`));
    expect(found).toMatchObject({
      source: { enforce: true, secrets: ['********2222'] },
      dedupe: { by: ['body.id'] },
    });
  });

  test('is set, shown with masked secrets, and removed', async () => {
    const { account, endpoint } = await made();
    expect(endpoint).toMatchObject({ source: null, dedupe: null, guessed: null });
    const source = { provider: 'stripe', secrets: [FIRST, SECOND] };
    const shown = {
      provider: 'stripe',
      secrets: ['********1111', '********2222'],
      enforce: false,
      url: null,
    };
    expect((await patched(account, endpoint, { source })).source).toEqual(shown);
    const path = `/api/endpoints/${endpoint.id}`;
    expect(expectStatus(200, await account.call('GET', path)).source).toEqual(shown);
    expect(expectStatus(200, await account.call('GET', '/api/endpoints'))[0].source).toEqual(shown);
    expect((await patched(account, endpoint, { name: 'other' })).source).toEqual(shown);
    expect((await patched(account, endpoint, { source: null })).source).toBeNull();
  });

  test('is merged by member: secrets stay where they are not sent', async () => {
    const { account, endpoint } = await made({ source: { provider: 'stripe', secrets: [FIRST] } });
    const enforced = await patched(account, endpoint, { source: { enforce: true } });
    expect(enforced.source).toMatchObject({ secrets: ['********1111'], enforce: true });
    const rotated = await patched(account, endpoint, { source: { secrets: [SECOND, FIRST] } });
    expect(rotated.source).toMatchObject({
      secrets: ['********2222', '********1111'],
      enforce: true,
    });
    const back = await patched(account, endpoint, { source: { enforce: null } });
    expect(back.source?.enforce).toBe(false);
  });

  test('keeps secrets by their numbers, beside new ones', async () => {
    const { account, endpoint } = await made({ source: { provider: 'stripe', secrets: [FIRST] } });
    const added = await patched(account, endpoint, {
      source: { keep_secrets: [1], secrets: [SECOND] },
    });
    expect(added.source?.secrets).toEqual(['********1111', '********2222']);
    const id = await captureSigned(endpoint, '{}', FIRST);
    const path = `/api/endpoints/${endpoint.id}/events`;
    const { verification } = expectStatus(200, await account.call('GET', `${path}/${id}`));
    expect(verification).toMatchObject({ state: 'verified', secret: 1 });

    const check = (source: object) =>
      account.call('POST', `/api/endpoints/${endpoint.id}/source/check`, { source });
    const withFirst = expectStatus(200, await check({ keep_secrets: [1] }));
    expect(withFirst).toMatchObject({ checked: 1, verified: 1 });
    const withSecond = expectStatus(200, await check({ keep_secrets: [2] }));
    expect(withSecond).toMatchObject({ checked: 1, verified: 0 });

    const removed = await patched(account, endpoint, { source: { keep_secrets: [2] } });
    expect(removed.source?.secrets).toEqual(['********2222']);
    const again = { source: { keep_secrets: [1], secrets: [SECOND] } };
    expect((await patched(account, endpoint, again)).source?.secrets).toEqual(['********2222']);
  });

  test('a source whose secret comes with a handshake is emptied without its provider', async () => {
    const { account, endpoint } = await made({ source: { provider: 'asana', secrets: [FIRST] } });
    const emptied = await patched(account, endpoint, { source: { secrets: [] } });
    expect(emptied.source).toMatchObject({ provider: 'asana', secrets: [] });

    const other = await made({ source: { provider: 'stripe', secrets: [FIRST] } });
    expect(await issuesOf(other.account, other.endpoint, { source: { secrets: [] } })).toEqual([
      { path: 'source.secrets', message: expect.stringMatching(/must have a secret/) },
    ]);
  });

  test.each([
    [{ keep_secrets: [2] }, 'source.keep_secrets.0', /names no present secret/],
    [{ keep_secrets: [] }, 'source.keep_secrets', /must keep a secret, or send one/],
    [{ keep_secrets: [1, 1] }, 'source.keep_secrets', /each secret once/],
    [{ keep_secrets: [0] }, 'source.keep_secrets.0', /from 1 to 10/],
    [{ keep_secrets: ['********1111'] }, 'source.keep_secrets.0', /must be the number/],
    [
      { keep_secrets: [1], secrets: Array.from({ length: 10 }, (_, i) => `whsec_${i}`) },
      'source.secrets',
      /at most 10 with those that stay/,
    ],
    [
      { provider: 'github', keep_secrets: [1], secrets: ['x'] },
      'source.keep_secrets.0',
      /names no present secret/,
    ],
  ])('keeps only what is there: %j', async (source, path, message) => {
    const { account, endpoint } = await made({ source: { provider: 'stripe', secrets: [FIRST] } });
    const issues = await issuesOf(account, endpoint, { source });
    expect(issues).toEqual([{ path, message: expect.stringMatching(message) }]);
  });

  test('needs its secrets again for another provider, which has none of the old members', async () => {
    const token = { provider: 'token', secrets: ['a token of a sender'], in: 'query.t' };
    const { account, endpoint } = await made({ source: token });
    expect(endpoint.source?.in).toBe('query.t');
    expect(await issuesOf(account, endpoint, { source: { provider: 'stripe' } })).toEqual([
      { path: 'source.secrets', message: 'must be sent with another provider' },
    ]);
    const source = { provider: 'stripe', secrets: [FIRST] };
    const changed = await patched(account, endpoint, { source });
    expect(changed.source).not.toHaveProperty('in');
  });

  test('of one’s own is a scheme, which is replaced whole', async () => {
    const source = { provider: 'custom', secrets: ['a secret of a sender'], scheme: SCHEME };
    const { account, endpoint } = await made({ source });
    expect(endpoint.source?.scheme).toEqual({ ...SCHEME, tolerance: '5m' });
    const plain = { ...SCHEME, signed: '{body}', timestamp: null, tolerance: '1m' };
    const changed = await patched(account, endpoint, { source: { scheme: plain } });
    expect(changed.source?.scheme).toEqual(plain);
    const { timestamp: _, ...without } = plain;
    const less = await patched(account, endpoint, { source: { scheme: without } });
    expect(less.source?.scheme).toEqual(plain);
    const scheme = { ...plain, algorithm: 'ed25519' };
    expect(await issuesOf(account, endpoint, { source: { scheme } })).toEqual([
      {
        path: 'source.secrets',
        message: 'must be sent with this scheme, whose key has another form',
      },
    ]);
    await patched(account, endpoint, { source: { scheme, secrets: ['ab'.repeat(32)] } });
  });

  const custom = (scheme: object) => ({
    provider: 'custom',
    secrets: ['x'],
    scheme: { ...SCHEME, ...scheme },
  });
  test.each<[string, object, string, RegExp]>([
    ['nothing', {}, 'source', /must have a member/],
    ['no provider', { secrets: ['x'] }, 'source.provider', /is missing/],
    ['no secrets', { provider: 'stripe' }, 'source.secrets', /is missing/],
    ['no secret', { provider: 'stripe', secrets: [] }, 'source.secrets', /must have a secret/],
    ['an empty secret', { provider: 'stripe', secrets: [''] }, 'source.secrets.0', /not be empty/],
    [
      'a masked secret',
      { provider: 'stripe', secrets: ['whsec_a', '********abcd'] },
      'source.secrets.1',
      /is masked/,
    ],
    [
      'a secret with blanks',
      { provider: 'stripe', secrets: [' whsec_a'] },
      'source.secrets.0',
      /blanks/,
    ],
    [
      'a token with a line break',
      { provider: 'token', in: 'header.x-token', secrets: ['a token\n'] },
      'source.secrets.0',
      /no blanks or line breaks/,
    ],
    [
      'a password with a line break',
      { provider: 'basic', secrets: ['user:password\r\n'] },
      'source.secrets.0',
      /no blanks or line breaks/,
    ],
    [
      'a blank secret of custom',
      { provider: 'custom', secrets: [' '], scheme: SCHEME },
      'source.secrets.0',
      /blanks/,
    ],
    [
      'neither user nor password',
      { provider: 'basic', secrets: [':'] },
      'source.secrets.0',
      /must be the user/,
    ],
    [
      'an object as provider',
      { provider: { toString: 1 }, secrets: ['x'] },
      'source.provider',
      /must be the name/,
    ],
    [
      'a long secret',
      { provider: 'stripe', secrets: ['x'.repeat(4097)] },
      'source.secrets.0',
      /4 KB/,
    ],
    [
      'many secrets',
      { provider: 'stripe', secrets: Array(11).fill('x') },
      'source.secrets',
      /at most 10/,
    ],
    [
      'a misspelt provider',
      { provider: 'strpie', secrets: ['x'] },
      'source.provider',
      /nearest: stripe/,
    ],
    [
      'a word that no provider has',
      { provider: 'qqqqqqqq', secrets: ['x'] },
      'source.provider',
      /GET \/api\/providers/,
    ],
    [
      'a member of its own',
      { provider: 'stripe', secrets: ['x'], since: 1 },
      'source.since',
      /not a known member/,
    ],
    [
      'a place of another kind',
      { provider: 'stripe', secrets: ['x'], in: 'header.a' },
      'source.in',
      /not a member of stripe/,
    ],
    [
      'a URL where none is signed',
      { provider: 'stripe', secrets: ['x'], url: 'https://a.example/' },
      'source.url',
      /not a member of stripe/,
    ],
    ['a token without a place', { provider: 'token', secrets: ['x'] }, 'source.in', /is missing/],
    [
      'a token in a cookie',
      { provider: 'token', secrets: ['x'], in: 'cookie.a' },
      'source.in',
      /header.NAME or query.NAME/,
    ],
    [
      'a password without a user',
      { provider: 'basic', secrets: ['x'] },
      'source.secrets.0',
      /colon/,
    ],
    ['no scheme', { provider: 'custom', secrets: ['x'] }, 'source.scheme', /is missing/],
    [
      'a form without a signature',
      custom({ form: 'sha256=' }),
      'source.scheme.form',
      /must end with/,
    ],
    [
      'a signature in the query',
      custom({ signature: 'query.s' }),
      'source.scheme.signature',
      /header.NAME/,
    ],
    [
      'an unknown part',
      custom({ signed: '{time}.{body}', timestamp: null }),
      'source.scheme.signed',
      /a part that is not/,
    ],
    [
      'a signature of the time only',
      custom({ signed: '{header.x-timestamp}' }),
      'source.scheme.signed',
      /must have \{body\}/,
    ],
    [
      'a time that is not signed',
      custom({ signed: '{body}' }),
      'source.scheme.timestamp',
      /must be among signed/,
    ],
    ['an unknown algorithm', custom({ algorithm: 'md5' }), 'source.scheme.algorithm', /one of/],
    ['a long window', custom({ tolerance: '25h' }), 'source.scheme.tolerance', /from 1s to 24h/],
    ['a URL of another kind', { ...custom({}), url: 'ftp://a/' }, 'source.url', /http or https/],
    [
      'a public key that is none',
      custom({ algorithm: 'ed25519' }),
      'source.secrets.0',
      /hexadecimal/,
    ],
    [
      'four public keys',
      { provider: 'discord', secrets: ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(64)) },
      'source.secrets',
      /at most 3 public keys/,
    ],
  ])('is refused with %s', async (_, source, path, message) => {
    const { account, endpoint } = await made();
    const issues = await issuesOf(account, endpoint, { source });
    expect(issues).toEqual([{ path, message: expect.stringMatching(message) }]);
    const now = expectStatus(200, await account.call('GET', `/api/endpoints/${endpoint.id}`));
    expect(now.source).toBeNull();
  });

  test('is in the audit without its secrets, also where their masks are the same', async () => {
    const { account, endpoint } = await made({
      source: { provider: 'basic', secrets: ['a:bbb'] },
    });
    await patched(account, endpoint, { source: { secrets: ['a:ccc'] } });
    const { data } = expectStatus(200, await account.call('GET', '/api/audit?limit=1'));
    expect(data[0].changes.source[1]).toMatchObject({ provider: 'basic', secrets: ['********'] });
    expect(Object.keys(data[0].changes)).toEqual(['source']);
    expect(JSON.stringify(data)).not.toContain('ccc');
  });
});

describe('dedupe', () => {
  test('is set, shown and removed', async () => {
    const { account, endpoint } = await made({ dedupe: { by: 'provider' } });
    expect(endpoint.dedupe).toEqual({ by: 'provider' });
    const by = ['header.x-id', 'body.items[*].id'];
    expect((await patched(account, endpoint, { dedupe: { by } })).dedupe).toEqual({ by });
    expect((await patched(account, endpoint, { name: 'x' })).dedupe).toEqual({ by });
    expect((await patched(account, endpoint, { dedupe: null })).dedupe).toBeNull();
  });

  test.each<[string, unknown, string, RegExp]>([
    ['another word', { by: 'body' }, 'dedupe.by', /must be provider, or a list/],
    ['no path', { by: [] }, 'dedupe.by', /must name a path/],
    ['eleven paths', { by: [...'abcdefghijk'].map((c) => `body.${c}`) }, 'dedupe.by', /at most 10/],
    ['a path twice', { by: ['body.id', 'body.id'] }, 'dedupe.by', /each path once/],
    ['a path of nothing', { by: ['body.id', 'bdy.id'] }, 'dedupe.by.1', /begins with/],
    ['an element of nothing', { by: ['body.items[$index].id'] }, 'dedupe.by.0', /without/],
    ['everything', { by: ['*'] }, 'dedupe.by.0', /a name is missing/],
    ['a member of its own', { by: 'provider', since: '1' }, 'dedupe.since', /not a known/],
  ])('is refused with %s', async (_, dedupe, path, message) => {
    const { account, endpoint } = await made();
    expect(await issuesOf(account, endpoint, { dedupe })).toEqual([
      { path, message: expect.stringMatching(message) },
    ]);
  });
});

describe('GET /api/providers', () => {
  test('lists what can be done with each sender', async () => {
    const { account } = await made();
    const providers = expectStatus(200, await account.call('GET', '/api/providers'));
    const byName = new Map(providers.map((one: { name: string }) => [one.name, one]));
    expect(byName.size).toBe(providers.length);
    expect(byName.get('stripe')).toEqual({
      name: 'stripe',
      title: 'Stripe',
      verifies: true,
      signs: true,
      signs_note: null,
      fields: ['secrets'],
      dedupes_by: expect.any(Array),
      handshake: false,
      hint: null,
      secret: "the endpoint's signing secret",
      secret_prefix: 'whsec_',
    });
    expect(byName.get('x')).toMatchObject({ hint: expect.stringMatching(/every hour/) });
    expect(byName.get('linear')).toMatchObject({
      signs_note: expect.stringMatching(/webhookTimestamp/),
    });
    expect(byName.get('token')).toMatchObject({ verifies: true, fields: ['secrets', 'in'] });
    expect(byName.get('custom')).toMatchObject({ fields: ['secrets', 'scheme', 'url'] });
  });
});

describe('POST …/source/check', () => {
  const check = (account: Account, { id }: EndpointAnswer, body: object) =>
    account.call('POST', `/api/endpoints/${id}/source/check`, body);

  test('tells how the newest events would fare, by a source that nobody has saved', async () => {
    const { account, endpoint } = await made();
    await captureSigned(endpoint, '{"a":1}', FIRST);
    await captureSigned(endpoint, '{"a":2}', SECOND);
    const edited = await captureSigned(endpoint, '{"a":3}', 'whsec_of_somebody');
    await capture(endpoint.capture_url, '{"a":4}');
    const path = `/api/endpoints/${endpoint.id}/events/${edited}/edit`;
    expectStatus(201, await account.call('POST', path, { body: 'x' }));
    const source = { provider: 'stripe', secrets: [FIRST, SECOND] };
    expect(expectStatus(200, await check(account, endpoint, { source }))).toEqual({
      checked: 4,
      verified: 2,
      failed: { signature_mismatch: 1, signature_missing: 1 },
      skipped: 1,
      ended_early: false,
      hints: [],
    });
    const least = expectStatus(200, await check(account, endpoint, { source, last: 2 }));
    expect(least).toEqual({
      checked: 1,
      verified: 0,
      failed: { signature_missing: 1 },
      skipped: 1,
      ended_early: false,
      hints: [],
    });
    const now = expectStatus(200, await account.call('GET', `/api/endpoints/${endpoint.id}`));
    expect(now.source).toBeNull();
  });

  test('skips a body that is too large, and reads on', async () => {
    const { account, endpoint } = await made();
    await captureSigned(endpoint, '{}', FIRST);
    await captureSigned(endpoint, 'x'.repeat(1024 * 1024 + 1), FIRST);
    await captureSigned(endpoint, 'x'.repeat(1024 * 1024), FIRST);
    const source = { provider: 'stripe', secrets: [FIRST] };
    const found = expectStatus(200, await check(account, endpoint, { source }));
    expect(found).toEqual({
      checked: 2,
      verified: 2,
      failed: {},
      skipped: 1,
      ended_early: false,
      hints: [],
    });
  });

  test('merges the present source, whose secrets needn’t be sent', async () => {
    const { account, endpoint } = await made();
    await captureSigned(endpoint, '{}', FIRST);
    const none = expectStatus(400, await check(account, endpoint, {}));
    expect(none.error.issues).toEqual([{ path: 'source.provider', message: 'is missing' }]);
    await patched(account, endpoint, { source: { provider: 'stripe', secrets: [FIRST] } });
    const fits = { checked: 1, verified: 1, failed: {}, skipped: 0, ended_early: false, hints: [] };
    expect(expectStatus(200, await check(account, endpoint, {}))).toEqual(fits);
    const enforced = await check(account, endpoint, { source: { enforce: true } });
    expect(expectStatus(200, enforced)).toEqual(fits);
    const other = await check(account, endpoint, { source: { secrets: [SECOND] } });
    expect(expectStatus(200, other).failed).toEqual({ signature_mismatch: 1 });
  });

  test('reads every event once, over several reads', async () => {
    const { account, endpoint } = await made();
    const bodies = Array.from({ length: 230 }, (_, i) => `{"i":${i}}`);
    await Promise.all(bodies.map((body) => captureSigned(endpoint, body, FIRST)));
    const source = { provider: 'stripe', secrets: [FIRST] };
    const all = expectStatus(200, await check(account, endpoint, { source }));
    expect(all).toMatchObject({ checked: 230, verified: 230 });
    const some = expectStatus(200, await check(account, endpoint, { source, last: 150 }));
    expect(some).toMatchObject({ checked: 150, verified: 150 });
  });

  test.each([0, 1001, 1.5, '10'])('refuses %j events', async (last) => {
    const { account, endpoint } = await made();
    const source = { provider: 'stripe', secrets: [FIRST] };
    const { error } = expectStatus(400, await check(account, endpoint, { source, last }));
    expect(error.issues).toEqual([
      { path: 'last', message: 'must be a whole number from 1 to 1000' },
    ]);
  });
});

test('the provider that recent events look like is guessed', async () => {
  const { account, endpoint } = await made();
  await captureSigned(endpoint, '{}', FIRST);
  const now = expectStatus(200, await account.call('GET', `/api/endpoints/${endpoint.id}`));
  expect(now.guessed).toBe('stripe');
  const list = expectStatus(200, await account.call('GET', '/api/endpoints'));
  expect(list[0].guessed).toBe('stripe');
});

test('an event of an endpoint without a source is unverified, in every view', async () => {
  const { account, endpoint } = await made();
  const id = await capture(endpoint.capture_url, '{}');
  const unchecked = {
    verification: { state: 'unverified', provider: null, secret: null, reason: null },
    duplicate_of: null,
    duplicate_conflict: null,
    unjudged: null,
  };
  expect(await account.event(endpoint, id)).toMatchObject(unchecked);
  expect((await account.list(endpoint, '?view=summary')).data).toMatchObject([unchecked]);
});

test('lists and counts are filtered by verification and by duplicates', async () => {
  const { account, endpoint } = await made();
  await capture(endpoint.capture_url, '{}');
  const total = async (query: string) => (await account.list(endpoint, query)).total;
  expect(await total('?verification=unverified')).toBe(1);
  expect(await total('?verification=verified')).toBe(0);
  expect(await total('?duplicates=only')).toBe(0);
  expect(await total('?duplicates=hide')).toBe(1);
  const path = `/api/endpoints/${endpoint.id}/replay`;
  const count = async (body: object) =>
    expectStatus(200, await account.call('POST', path, { ...body, dry_run: true })).matching;
  expect(await count({ verification: 'unverified' })).toBe(1);
  expect(await count({ duplicates: 'only' })).toBe(0);
  for (const query of ['?verification=yes', '?duplicates=all']) {
    const answer = await callApi(
      server,
      'GET',
      `/api/endpoints/${endpoint.id}/events${query}`,
      undefined,
      {
        headers: { authorization: account.authorization },
      },
    );
    expect(expectStatus(400, answer).error.issues).toHaveLength(1);
  }
});
