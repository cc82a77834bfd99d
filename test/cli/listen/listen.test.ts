import { once } from 'node:events';
import http from 'node:http';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EndpointAnswer } from '../../../src/api/endpoints/endpoint-answer.ts';
import { type Account, capture, expectStatus } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { connect } from '../../fixtures/raw-connection.ts';
import { type HttpReceiver, httpReceiver, ok, status } from '../../fixtures/receiver.ts';
import { serverOfFile, tempDir } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { accountShell, hookrelay, type Shell } from '../command-line.ts';
import { controlsIn, freePort, LiveCommand } from '../live-command.ts';

failOnLeaks();
const server = serverOfFile();

interface Setting {
  shell: Shell;
  account: Account;
  endpoint: EndpointAnswer;
  /** Starts `listen --json` and waits until it follows. */
  listen(...args: string[]): Promise<LiveCommand>;
}

async function setting(): Promise<Setting> {
  const { shell, account } = await accountShell(server);
  const endpoint = await account.createEndpoint({ name: 'laptop' });
  return {
    shell,
    account,
    endpoint,
    async listen(...args) {
      const command = new LiveCommand(shell, ['listen', '--json', ...args]);
      await command.printed('ready');
      return command;
    },
  };
}

/** A local target. Listen ends before it and closes its connections. */
const localTarget = (respond = ok): Promise<HttpReceiver> =>
  httpReceiver(respond, (close) => onTestFinished(() => void close()));

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

describe('an event', () => {
  test('reaches the target with its method, path, query, headers and bytes', async () => {
    const { endpoint, listen } = await setting();
    const target = await localTarget();
    const command = await listen(`${target.url}/base?k=1`);
    const body = Buffer.from([0xff, 0x00, 0x0d, 0x0a, 0x7b]);
    const { pathname } = new URL(endpoint.capture_url);
    const raw = await connect(server.port);
    raw.send(
      `PATCH ${pathname}/a%2Fb/%zz?x=1&x=%20 HTTP/1.1\r\nHost: hooks.example.com\r\nX-Tag: one\r\nx-tag: two\r\n` +
        'X-HookRelay-Event: forged\r\nStripe-Signature: t=1\r\nConnection: x-hop\r\nX-Hop: 1\r\n' +
        'Content-Type: application/x-thing\r\nContent-Length: 5\r\n\r\n',
    );
    raw.send(body);
    await raw.status();
    const [request] = await target.received(1);
    const [forwarded] = await command.printed('forwarded');
    const [event] = command.of('event');
    expect(request).toMatchObject({ method: 'PATCH', target: '/base/a%2Fb/%zz?k=1&x=1&x=%20' });
    expect(request?.body).toEqual(body);
    const { rawHeaders } = request as NonNullable<typeof request>;
    const pairs = rawHeaders.flatMap((name, i) => (i % 2 ? [] : [[name, rawHeaders[i + 1]]]));
    expect(
      pairs.filter(([name]) => !/^(host|connection|content-length)$/i.test(name ?? '')),
    ).toEqual([
      ['X-Tag', 'one'],
      ['x-tag', 'two'],
      ['Stripe-Signature', 't=1'],
      ['Content-Type', 'application/x-thing'],
      ['x-hookrelay-event', event.id],
      ['x-hookrelay-delivery', expect.stringMatching(/^dlv_/)],
      ['x-hookrelay-attempt', '1'],
      ['x-hookrelay-trigger', 'capture'],
      ['x-hookrelay-hops', '1'],
      ['x-hookrelay-verification', 'unverified'],
      ['webhook-id', event.id],
      ['webhook-timestamp', expect.stringMatching(/^\d+$/)],
    ]);
    expect(forwarded).toEqual({
      ...{ type: 'forwarded', event_id: event.id, method: 'PATCH', path: '/a%2Fb/%zz' },
      ...{ target: `${target.url}/base?k=1`, trigger: 'capture', response_code: 200 },
      ...{ duration_ms: expect.any(Number), error: null },
    });
  });

  test('is signed with --secret, and the library verifies it', async () => {
    const { endpoint, listen } = await setting();
    const target = await localTarget();
    await listen(target.url, '--secret', SECRET);
    const body = '{"n": 1.0}';
    const id = await capture(endpoint.capture_url, body, { headers: { 'webhook-id': 'theirs' } });
    const [request] = await target.received(1);
    const headers = request?.headers as Record<string, string>;
    expect(headers['webhook-id']).toBe(id);
    expect(new Webhook(SECRET).verify(body, headers)).toEqual({ n: 1 });
  });

  test('of 25 MiB arrives completely', async () => {
    const { endpoint, listen } = await setting();
    const target = await localTarget();
    const command = await listen(target.url);
    const body = Buffer.alloc(25 * 1024 * 1024, '{"a":"é"}');
    await capture(endpoint.capture_url, body);
    await command.printed('forwarded');
    const [request] = target.requests;
    expect(request?.body.equals(body)).toBe(true);
  });

  test('is not sent after too many relays', async () => {
    const { endpoint, listen } = await setting();
    const target = await localTarget();
    const command = await listen(target.url);
    await capture(endpoint.capture_url, '', { headers: { 'x-hookrelay-hops': '6' } });
    await capture(`${endpoint.capture_url}/%2e%2e`);
    const [loop, path] = await command.printed('forwarded', 2);
    expect(loop.error.code).toBe('loop');
    expect(path.error.code).toBe('invalid_path');
    expect(target.requests).toEqual([]);
  });

  test('keeps its status and its deliveries whatever the target answers', async () => {
    const { account, endpoint, listen } = await setting();
    const [target, destination] = [await localTarget(status(500)), await localTarget()];
    await account.addDestination(endpoint, destination.url);
    const command = await listen(target.url);
    const id = await capture(endpoint.capture_url);
    const [forwarded] = await command.printed('forwarded');
    expect(forwarded).toMatchObject({ response_code: 500, error: null });
    await until(
      'it is delivered',
      async () => (await account.event(endpoint, id)).status !== 'received',
    );
    expect(await account.event(endpoint, id)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(await account.attempts(endpoint, id)).toHaveLength(1);
  });
});

test('--since first forwards the events since then, in order', async () => {
  const { endpoint, listen } = await setting();
  const target = await localTarget();
  const ids: string[] = [];
  for (let i = 0; i < 30; i++) ids.push(await capture(endpoint.capture_url, String(i)));
  const command = await listen(target.url, '--since', '1h');
  const forwarded = await command.printed('forwarded', ids.length);
  expect(command.of('event').map(({ id }) => id)).toEqual(ids);
  expect(forwarded.map(({ event_id }) => event_id).sort()).toEqual([...ids].sort());
  expect(target.requests.map(({ body }) => String(body)).sort()).toHaveLength(ids.length);
});

test('at most eight forwards are under way at once', async () => {
  const { endpoint, listen } = await setting();
  const held: http.ServerResponse[] = [];
  const target = await localTarget((_request, res) => void held.push(res));
  const ids = await Promise.all(Array.from({ length: 20 }, () => capture(endpoint.capture_url)));
  const command = await listen(target.url, '--since', '1h');
  await target.received(8);
  await command.printed('event', ids.length);
  expect(held.length).toBe(8);
  const order = command.of('event').map(({ id }) => id);
  const first = target.requests.map(({ headers }) => headers['x-hookrelay-event']);
  expect(first.sort()).toEqual(order.slice(0, 8).sort());
  target.respond = ok;
  for (const res of held) res.end();
  await command.printed('forwarded', ids.length);
});

test('rules send events to several targets, other events to the target or nowhere', async () => {
  const { account, endpoint, shell } = await setting();
  const other = await account.createEndpoint({ name: 'other' });
  const [a, b, c] = [await localTarget(), await localTarget(), await localTarget()];
  const rules = [
    ...['--route', `header.x-github-event=push → ${a.url}`],
    ...['--route', `body.type=invoice.* -> ${b.url}/stripe`],
    ...['--route', `endpoint=other & method=PUT -> ${b.url}/other`],
  ];
  const rest = new LiveCommand(shell, ['listen', '--json', c.url, ...rules]);
  const none = new LiveCommand(shell, ['listen', ...rules, '--endpoint', 'laptop']);
  await rest.printed('ready');
  await none.noted('where header.x-github-event=push');
  await capture(endpoint.capture_url, '', { headers: { 'X-GitHub-Event': 'push' } });
  await capture(`${endpoint.capture_url}/x`, '{"type":"invoice.paid"}');
  await capture(other.capture_url, '', { method: 'PUT' });
  await capture(endpoint.capture_url, '', { method: 'DELETE' });
  const forwarded = await rest.printed('forwarded', 4);
  const targets = rest.of('event').map(({ id }) => {
    return forwarded.find(({ event_id }) => event_id === id)?.target;
  });
  expect(targets).toEqual([`${a.url}/`, `${b.url}/stripe`, `${b.url}/other`, `${c.url}/`]);
  expect(rest.of('ready')[0].routes).toEqual([
    { rule: 'header.x-github-event=push', target: `${a.url}/` },
    { rule: 'body.type=invoice.*', target: `${b.url}/stripe` },
    { rule: 'endpoint=other & method=PUT', target: `${b.url}/other` },
  ]);
  const lines = await none.printedLines(3);
  expect(lines.find((line) => line.includes('DELETE'))).toContain('DELETE / → no route  evt_');
  expect(b.requests.map(({ target }) => target).sort()).toEqual([
    '/other',
    '/stripe/x',
    '/stripe/x',
  ]);
});

test('a route takes a rule behind where, and a text that looks like a rule is noted', async () => {
  const { endpoint, shell } = await setting();
  const [large, rest] = [await localTarget(), await localTarget()];
  const command = new LiveCommand(shell, [
    ...['listen', '--json', rest.url],
    ...['--route', `endpoint=laptop & where body.amount>=1000 and body.type? -> ${large.url}`],
    ...['--route', `body.amount>=1000 -> ${large.url}`],
  ]);
  const [ready] = await command.printed('ready');
  expect(ready.routes[0].rule).toBe('endpoint=laptop & where body.amount>=1000 and body.type?');
  await command.noted(
    `the route "body.amount>=1000" compares texts; for a rule write 'where body.amount>=1000 -> …'`,
  );
  await capture(endpoint.capture_url, '{"type":"a","amount":1000}');
  await capture(endpoint.capture_url, '{"amount":1000}');
  await capture(endpoint.capture_url, '{"type":"a","amount":"none"}');
  await command.printed('forwarded', 3);
  const bodies = ({ requests }: typeof large) => requests.map(({ body }) => String(body)).sort();
  expect(bodies(large)).toEqual(['{"type":"a","amount":1000}']);
  expect(bodies(rest)).toEqual(['{"amount":1000}', '{"type":"a","amount":"none"}']);
});

test('a target that is down is reported once, and again when it is back; events go on', async () => {
  const { endpoint, shell } = await setting();
  const port = await freePort();
  const command = new LiveCommand(shell, ['listen', String(port)]);
  await command.noted(`nothing listens at http://localhost:${port}; the server keeps the events`);
  await capture(`${endpoint.capture_url}/one`);
  await capture(`${endpoint.capture_url}/two`);
  const failed = await command.printedLines(2);
  for (const line of failed) expect(line).toMatch(/POST \/(one|two) → connect_refused/);
  const late = http.createServer((_req, res) => res.end()).listen(port, '127.0.0.1');
  onTestFinished(() => {
    late.closeAllConnections();
    late.close();
  });
  await once(late, 'listening');
  await command.noted(`http://localhost:${port} answers again`);
  const id = await capture(`${endpoint.capture_url}/three`);
  const lines = await command.printedLines(3);
  expect(lines[2]).toMatch(
    new RegExp(`^\\d\\d:\\d\\d:\\d\\d  POST /three → 200 \\(\\d+ ms\\)  ${id}$`),
  );
  expect(await command.end()).toBe(0);
  expect(command.stderr.match(/nothing listens/g)).toHaveLength(1);
  expect(command.stderr).toMatch(/forwarded 3 events, 2 failed\n$/);
});

test('a target that takes too long fails by --timeout', async () => {
  const { endpoint, listen } = await setting();
  const target = await localTarget(() => {});
  const command = await listen(target.url, '--timeout', '50ms');
  await capture(endpoint.capture_url);
  const [forwarded] = await command.printed('forwarded');
  expect(forwarded).toMatchObject({ response_code: null, error: { code: 'timeout' } });
});

test('sent and answered text is inert in lines and in JSON', async () => {
  const { account, shell, endpoint } = await setting();
  expectStatus(
    200,
    await account.call('PATCH', `/api/endpoints/${endpoint.id}`, { name: '\u202eevil' }),
  );
  const target = await localTarget((_request, res) => {
    res.writeHead(200, { 'x-evil': '\x9b2J' }).end('\x1b[2J');
  });
  const lines = new LiveCommand(shell, ['listen', target.url]);
  const json = new LiveCommand(shell, ['listen', '--json', target.url]);
  await lines.noted('→ http');
  await json.printed('ready');
  const { pathname } = new URL(endpoint.capture_url);
  const raw = await connect(server.port);
  raw.send(
    `POST ${pathname}/%1b[2J HTTP/1.1\r\nhost: x\r\nx-github-event: \x9b2J\x9d0;x\x9c\r\ncontent-length: 0\r\n\r\n`,
  );
  await raw.status();
  const [line] = await lines.printedLines(1);
  await json.printed('forwarded');
  expect(line).toContain('POST /%1b[2J → 200');
  for (const text of [lines.stdout, lines.stderr, json.stdout]) expect(controlsIn(text)).toBeNull();
});

test('the end of the session exits 1', async () => {
  const { account, endpoint } = await setting();
  const home = tempDir();
  const { email, password } = account;
  const args = ['login', '--url', server.url, '--email', email, '--password-stdin'];
  expect((await hookrelay({ home }, args, `${password}\n`)).code).toBe(0);
  const target = await localTarget();
  const command = new LiveCommand({ home }, ['listen', '--json', '--url', server.url, target.url], {
    XDG_CONFIG_HOME: home,
  });
  await command.printed('ready');
  const { json } = await account.call('GET', '/api/sessions');
  for (const session of json) {
    if (!session.current) await account.call('DELETE', `/api/sessions/${session.id}`);
  }
  // Its next request and the refresh are refused.
  await capture(endpoint.capture_url);
  expect(await command.ended()).toBe(1);
  expect(command.stderr).toContain('hookrelay: the session has ended\n  hint: run hookrelay login');
});

test.each([
  [['nowhere'], 'Expected a port, a /path, or a URL'],
  [['--route', 'x=y -> 3000'], 'Expected a rule such as'],
  [['--route', 'path=/x -> nowhere'], 'Expected a port'],
  [['--route', 'where body.a>=true -> 3000'], '  body.a>=true\n          ^\n'],
  [['--timeout', '2h'], 'Expected a duration'],
  [['--since', 'never'], 'Expected a time'],
  [['--retention', 'x'], 'Expected a duration such as 12h or 30d'],
])('listen %j is wrong usage', async (args, message) => {
  const { code, stdout, stderr } = await hookrelay({ home: tempDir() }, ['listen', ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
});

test('a named server that is down is not replaced by another', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const { code, stderr } = await hookrelay({ home: tempDir(), url, token: 'hr_x' }, [
    'listen',
    '3000',
  ]);
  expect(code).toBe(1);
  expect(stderr).toContain(`no hookrelay answers at ${url}`);
});

test('a missing endpoint is an error', async () => {
  const { shell } = await setting();
  const { code, stderr } = await hookrelay(shell, ['listen', '3000', '--endpoint', 'nope']);
  expect(code).toBe(1);
  expect(stderr).toContain('there is no endpoint "nope"');
});
