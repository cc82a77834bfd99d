import { spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { EndpointAnswer } from '../../../src/api/endpoints/endpoint-answer.ts';
import { endToEndHeaders } from '../../../src/cli/trigger/fetch-captured-request.ts';
import type { TriggerFlags } from '../../../src/cli/trigger/trigger-flags.ts';
import { SAMPLES } from '../../../src/providers/samples.ts';
import { type Account, capture, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver, status } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { hookrelay } from '../command-line.ts';
import { type TriggerOptions, triggerHere } from './trigger-here.ts';

failOnLeaks();
const server = serverOfFile();

const BIN = fileURLToPath(new URL('../../../bin/hookrelay.mjs', import.meta.url));

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the real program, without a login unless the variables have one. */
function child(args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const process_ = spawn(process.execPath, [BIN, 'trigger', ...args], {
      env: { PATH: process.env.PATH, HOME: '/nonexistent', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const outcome: Outcome = { code: null, stdout: '', stderr: '' };
    process_.stdout.on('data', (chunk) => {
      outcome.stdout += chunk;
    });
    process_.stderr.on('data', (chunk) => {
      outcome.stderr += chunk;
    });
    process_.on('error', reject);
    process_.on('close', (code) => resolve({ ...outcome, code }));
  });
}

/** The same in this process. */
const here = (args: string[], env: Record<string, string> = {}) =>
  hookrelay({ home: '/nonexistent' }, ['trigger', ...args], undefined, env);

const trigger = (name: string | undefined, flags?: TriggerFlags, options: TriggerOptions = {}) =>
  triggerHere(name, flags, { url: server.url, ...options });

/** An account with an API token, as scripts have one. */
async function person(): Promise<{ account: Account; token: string }> {
  const account = await register(server);
  const { json } = await account.call('POST', '/api/tokens', { name: 'ci' });
  server.secrets.push(json.token);
  return { account, token: json.token };
}

describe('the command', () => {
  test('--list prints every sample and its signature scheme', async () => {
    const { code, stdout, stderr } = await here(['--list']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [samples = ''] = stdout.split('\n\n');
    const lines = samples.split('\n');
    expect(lines[0]).toMatch(/^NAME +DESCRIPTION +SIGNATURE$/);
    expect(lines[1]).toMatch(/^github.push +two commits pushed to main +X-Hub-Signature-256$/);
    expect(lines.slice(1).map((line) => line.split(' ')[0])).toEqual(
      SAMPLES.map(({ name }) => name),
    );
  });

  test('an unknown name suggests one and exits 2', async () => {
    expect(await here(['github.psuh'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'hookrelay: there is no sample "github.psuh"\n  hint: did you mean github.push?\n',
    });
  });

  test('sends a sample, overridden and signed, and prints only JSON', async () => {
    const { account, token } = await person();
    const endpoint = await account.createEndpoint({ name: 'orders' });
    const { code, stdout, stderr } = await child(
      [
        ...['stripe.invoice.paid', '--to', 'orders', '--secret', 'whsec_mine', '--json'],
        ...['--override', 'data.object.total=500'],
        ...['--override', 'data.object.lines.data.0.amount=500'],
      ],
      { HOOKRELAY_URL: server.url, HOOKRELAY_TOKEN: token },
    );
    expect(code).toBe(0);
    const report = JSON.parse(stdout);
    expect(report).toEqual({
      sample: 'stripe.invoice.paid',
      url: endpoint.capture_url,
      status: 200,
      event_id: expect.stringMatching(/^evt_\w{26}$/),
    });
    expect(stderr).toMatch(/^stripe\.invoice\.paid, \d\.\d KB, to http\S+\n$/);
    const event = await account.event(endpoint, report.event_id);
    expect(event.body.data.object.total).toBe(500);
    expect(event.body.data.object.lines.data[0].amount).toBe(500);
    const path = `/api/endpoints/${endpoint.id}/events/${report.event_id}/raw`;
    const { body } = await account.call('GET', path);
    const [, t, v1] = /^t=(\d+),v1=(\w+)$/.exec(event.headers['stripe-signature']) ?? [];
    const hmac = createHmac('sha256', 'whsec_mine').update(`${t}.`).update(body);
    expect(v1).toBe(hmac.digest('hex'));
  });

  test('exits 1 for a paused endpoint, with the reason and the remedy', async () => {
    const { account, token } = await person();
    const { id } = await account.createEndpoint();
    await account.call('PATCH', `/api/endpoints/${id}`, { is_active: false });
    const env = { HOOKRELAY_URL: server.url, HOOKRELAY_TOKEN: token };
    const { code, stdout, stderr } = await here(['gitlab.push'], env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '404\n' });
    const [note, ...error] = stderr.trimEnd().split('\n').slice(1);
    expect(note).toMatch(/^gitlab\.push, .* to http\S+$/);
    expect(error).toEqual([
      'hookrelay: this capture URL is paused; nothing was stored',
      '  hint: hookrelay endpoints resume ENDPOINT',
    ]);
  });
});

describe('errors', () => {
  test.each([
    [
      undefined,
      {},
      'no sample and no provider is named',
      'hookrelay trigger --list shows all samples',
    ],
    ['github.push', { fromEvent: 'evt_01kxyz' }, /^--from-event excludes a sample/, /unchanged/],
    [undefined, { fromEvent: 'evt_01kxyz', override: ['a=1'] }, /^--from-event/, /unchanged/],
    [
      'github.push',
      { to: 'ftp://example.com/' },
      '"ftp://example.com/" is not an http or https URL',
    ],
    ['github.push', { to: 'http://' }, '"http://" is not an http or https URL'],
    ['github.push', { to: 'https://a:pw@example.com/' }, /^a target URL must have no user name/],
    [
      'github.push',
      { to: 'http://127.0.0.1:1/', override: ['reff=x'] },
      'the sample has no field "reff"',
      'did you mean ref? --add makes a new one',
    ],
  ] as [string | undefined, TriggerFlags, string | RegExp, (string | RegExp)?][])(
    '%s %j is wrong usage',
    async (name, flags, message, hint) => {
      const { stdout, error } = await trigger(name, flags);
      expect(stdout).toEqual([]);
      const like = (text: string | RegExp) =>
        typeof text === 'string' ? text : expect.stringMatching(text);
      expect(error).toMatchObject({
        code: 'config_invalid',
        message: like(message),
        ...(hint !== undefined && { hint: like(hint) }),
      });
    },
  );

  test('a target where nothing listens is an error', async () => {
    const { stdout, error } = await trigger('slack.message', { to: 'http://127.0.0.1:1' });
    expect(stdout).toEqual([]);
    expect(error).toMatchObject({
      code: 'server_unreachable',
      message: 'http://127.0.0.1:1: The connection was refused.',
    });
  });

  test('an endpoint without a login is an error', async () => {
    const { error } = await trigger('slack.message', { to: 'orders' });
    expect(error).toMatchObject({ code: 'not_logged_in' });
  });

  test('a missing endpoint, or several candidates, are errors', async () => {
    const { account, token } = await person();
    await account.createEndpoint({ name: 'one' });
    await account.createEndpoint({ name: 'two' });
    const missing = await trigger('gitlab.push', { to: 'three' }, { token });
    expect(missing.error).toMatchObject({ code: 'endpoint_not_found' });
    const several = await trigger('gitlab.push', {}, { token });
    expect(several.error).toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(/^several endpoints match: ep_\w+ \((one|two)\), ep_/),
    });
  });
});

describe('a sample', () => {
  test('goes to the only endpoint; status and event id are printed', async () => {
    const { account, token } = await person();
    const endpoint = await account.createEndpoint();
    const { stdout, stderr, error } = await trigger('github.push', {}, { token });
    expect(error).toBeNull();
    expect(stdout).toEqual([expect.stringMatching(/^200 evt_\w{26}$/)]);
    expect(stderr).toEqual([
      'signed with the test secret hookrelay-test-secret, in X-Hub-Signature-256',
      expect.stringMatching(/^github\.push, \d+\.\d KB, to http.+\/in\/.+$/),
    ]);
    const [, eventId = ''] = (stdout[0] as string).split(' ');
    const event = await account.event(endpoint, eventId);
    expect(event).toMatchObject({ provider: 'github', event_type: 'push' });
  });

  test('goes to a capture URL with a sub-path, without a login', async () => {
    const { account } = await person();
    const endpoint = await account.createEndpoint();
    const to = `${endpoint.capture_url}/github?from=ci`;
    const { stdout } = await trigger('github.ping', { to });
    const [, eventId = ''] = (stdout[0] as string).split(' ');
    const event = await account.event(endpoint, eventId);
    expect(event).toMatchObject({ path: '/github', query: 'from=ci' });
  });

  test('of SendGrid prints the key that verifies it', async () => {
    const receiver = await httpReceiver();
    const { stderr } = await trigger('sendgrid.events', { to: receiver.url, secret: 'mine' });
    expect(stderr[0]).toMatch(
      /^the verification key is MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE[\w+/]+=*$/,
    );
    expect(stderr.join()).not.toContain('mine');
  });

  test('goes byte for byte to the given URL, and redirects are not followed', async () => {
    const receiver = await httpReceiver(status(307, { location: '/elsewhere' }));
    const sent = `${receiver.url}/hooks%zz/a?b=%20c`;
    const { stdout, error } = await trigger('twilio.message', { to: `${sent}#fragment` });
    expect(stdout).toEqual(['307']);
    expect(error).toMatchObject({ message: 'the target did not accept the request: status 307' });
    const [request] = await receiver.received(1);
    expect(receiver.requests).toHaveLength(1);
    expect(request?.target).toBe('/hooks%zz/a?b=%20c');
    const fields = [...new URLSearchParams(request?.body.toString())].sort();
    const hmac = createHmac('sha1', 'hookrelay-test-secret').update(sent + fields.flat().join(''));
    expect(request?.headers['x-twilio-signature']).toBe(hmac.digest('base64'));
    expect(request?.rawHeaders.filter((_, i) => i % 2 === 0)).toEqual([
      'host',
      'connection',
      'Accept',
      'Content-Type',
      'User-Agent',
      'I-Twilio-Idempotency-Token',
      'X-Twilio-Signature',
      'content-length',
    ]);
  });

  test("has a status even when the answer's body breaks off or never ends", async () => {
    const receiver = await httpReceiver((_request, res) => {
      res.writeHead(500);
      res.write('x'.repeat(64 * 1024));
    });
    const endless = await trigger('slack.message', { to: receiver.url });
    expect(endless.stdout).toEqual(['500']);
    receiver.respond = (_request, res) => {
      res.writeHead(200, { 'content-length': 10, 'x-hookrelay-event-id': 'evt_\x9b2J' });
      res.write('part');
      setImmediate(() => res.destroy());
    };
    const broken = await trigger('slack.message', { to: receiver.url });
    expect(broken.error).toBeNull();
    expect(broken.stdout[0]).toMatch(/^200 evt_/);
    expect(broken.stdout[0]).not.toContain('\x9b');
  });
});

describe('--from-event', () => {
  const headers = {
    'X-Custom': ['one', 'two'],
    'Content-Type': 'application/octet-stream',
    'Stripe-Signature': 't=1,v1=ab',
    'X-Latin': 'caf\u00e9',
    Connection: 'close, X-Per-Hop',
    'X-Per-Hop': 'gone',
    TE: 'trailers',
  };
  const passing = [
    'X-Custom',
    'one',
    'X-Custom',
    'two',
    'Content-Type',
    'application/octet-stream',
    'Stripe-Signature',
    't=1,v1=ab',
    'X-Latin',
    'caf\u00e9',
  ];
  let account: Account;
  let token: string;
  let endpoint: EndpointAnswer;
  let other: EndpointAnswer;

  beforeAll(async () => {
    ({ account, token } = await person());
    endpoint = await account.createEndpoint({ name: 'binary' });
    // There are several endpoints: an event knows its own.
    other = await account.createEndpoint({ name: 'other' });
  });

  test('sends a binary body, its path, query, method and headers to a URL', async () => {
    const receiver = await httpReceiver();
    const body = Buffer.concat([Buffer.from([0, 0xff, 0xfe, 0x0d, 0x0a]), randomBytes(100_000)]);
    const url = `${endpoint.capture_url}/a%2Fb/%zz?x=1&y=%20`;
    const eventId = await capture(url, body, { method: 'PUT', headers });
    const { code, stdout } = await here(
      ['--from-event', eventId, '--to', `${receiver.url}/base?k=v`],
      { HOOKRELAY_URL: server.url, HOOKRELAY_TOKEN: token },
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: '200\n' });
    const [request] = await receiver.received(1);
    expect(request).toMatchObject({ method: 'PUT', target: '/base/a%2Fb/%zz?k=v&x=1&y=%20' });
    expect(request?.body.equals(body)).toBe(true);
    const own = ['host', 'connection', 'content-length'];
    const received = request?.rawHeaders ?? [];
    const theirs = received.filter(
      (_, i) => !own.includes((received[i - (i % 2)] as string).toLowerCase()),
    );
    expect(theirs).toEqual(passing);
  });

  test("sends to the event's own endpoint by default", async () => {
    const eventId = await capture(`${endpoint.capture_url}/sub?a=1`, Buffer.from([0x80, 0]), {
      method: 'PATCH',
      headers,
    });
    const { stdout, error } = await trigger(
      undefined,
      { fromEvent: eventId },
      { token, json: true },
    );
    expect(error).toBeNull();
    const report = JSON.parse(stdout[0] as string);
    expect(report).toMatchObject({
      from_event: eventId,
      url: `${endpoint.capture_url}/sub?a=1`,
      status: 200,
    });
    expect(report.event_id).not.toBe(eventId);
    const [first, second] = await Promise.all([
      account.event(endpoint, eventId),
      account.event(endpoint, report.event_id),
    ]);
    for (const name of ['method', 'path', 'query', 'body', 'body_encoding', 'provider']) {
      expect(second[name]).toEqual(first[name]);
    }
  });

  test('keeps a GET without a body', async () => {
    const eventId = await capture(endpoint.capture_url, '', { method: 'GET' });
    const { stdout } = await trigger(undefined, { fromEvent: eventId, to: 'other' }, { token });
    const [, again = ''] = (stdout[0] as string).split(' ');
    expect(await account.event(other, again)).toMatchObject({ method: 'GET', size: 0 });
  });

  test("refuses a missing event, and another account's", async () => {
    const stranger = await person();
    const theirs = await capture(
      (await stranger.account.createEndpoint({ name: 'theirs' })).capture_url,
    );
    for (const fromEvent of ['evt_00000000000000000000000000', theirs]) {
      const { stdout, error } = await trigger(undefined, { fromEvent }, { token });
      expect(stdout).toEqual([]);
      expect(error).toMatchObject({ code: 'event_not_found' });
    }
  });

  test.each([
    [
      [
        ['Host', 'a'],
        ['A', '1'],
        ['content-LENGTH', '3'],
        ['a', '2'],
      ],
      ['A', '1', 'a', '2'],
    ],
    [
      [
        ['Connection', 'Foo ,bar'],
        ['foo', '1'],
        ['Bar', '2'],
        ['baz', '3'],
      ],
      ['baz', '3'],
    ],
    [
      [
        ['Proxy-Authorization', 'x'],
        ['Expect', '100-continue'],
        ['TE', 'x'],
      ],
      [],
    ],
    [
      [
        ['webhook-id', 'x'],
        ['x-hookrelay-hops', '1'],
        ['Accept-Encoding', 'gzip'],
      ],
      ['webhook-id', 'x', 'x-hookrelay-hops', '1', 'Accept-Encoding', 'gzip'],
    ],
  ] as [[string, string][], string[]][])('of %j passes on %j', (rawHeaders, expected) => {
    expect(endToEndHeaders(rawHeaders)).toEqual(expected);
  });
});
