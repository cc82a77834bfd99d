import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Account, capture } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { connect } from '../../fixtures/raw-connection.ts';
import { httpReceiver, ok, status } from '../../fixtures/receiver.ts';
import { runServer, serverOfFile, tempDir } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { accountShell, hookrelay, hookrelayCutOff, type Shell, Terminal } from '../command-line.ts';
import { controlsIn, LiveCommand } from '../live-command.ts';

failOnLeaks();
const server = serverOfFile({ retryAttempts: 2 });

interface Setting {
  shell: Shell;
  account: Account;
  /** Starts `tail --json` and waits until it follows. */
  tail(...args: string[]): Promise<LiveCommand>;
}

async function setting(): Promise<Setting> {
  const { shell, account } = await accountShell(server);
  return {
    shell,
    account,
    async tail(...args) {
      const command = new LiveCommand(shell, ['tail', '--json', ...args]);
      await command.printed('ready');
      return command;
    },
  };
}

describe('tail --json', () => {
  test('prints each event once, as the API summarises it, and exits 0 on Ctrl-C', async () => {
    const { account, tail } = await setting();
    const endpoint = await account.createEndpoint();
    const command = await tail();
    const id = await capture(`${endpoint.capture_url}/push`, '{"a":1}', {
      headers: { 'content-type': 'application/json', 'x-github-event': 'push' },
    });
    await command.printed('event');
    expect(await command.end()).toBe(0);
    const { data } = await account.list(endpoint, '?view=summary');
    expect(command.records).toEqual([
      { type: 'ready', url: server.url },
      { type: 'event', ...data[0] },
    ]);
    expect(data[0]).toMatchObject({ id, provider: 'github', event_type: 'push', path: '/push' });
    expect(command.stderr).toBe('');
  });

  test('--attempts also prints attempts', async () => {
    const { account, tail } = await setting();
    const endpoint = await account.createEndpoint();
    const receiver = await httpReceiver(ok, () => {});
    onTestFinishedClose(receiver);
    await account.addDestination(endpoint, receiver.url);
    const [with_, without] = [await tail('--attempts'), await tail()];
    const id = await capture(endpoint.capture_url);
    const [attempt] = await with_.printed('attempt');
    expect(attempt).toMatchObject({
      ...{ event_id: id, endpoint_id: endpoint.id, event_status: 'delivered' },
      ...{ response_code: 200, attempt: 1, destination_url: `${receiver.url}/` },
    });
    const next = await capture(endpoint.capture_url);
    await with_.printed('attempt', 2);
    const events = await without.printed('event', 2);
    expect(events.map((event) => event.id)).toEqual([id, next]);
    expect(without.of('attempt')).toEqual([]);
  });

  test('--where and --type choose events, and their attempts', async () => {
    const { account, tail } = await setting();
    const endpoint = await account.createEndpoint();
    const receiver = await httpReceiver(ok, () => {});
    onTestFinishedClose(receiver);
    await account.addDestination(endpoint, receiver.url);
    const [byRule, byType] = [
      await tail('--attempts', '--where', 'body.amount>=1000 and path^=/a'),
      await tail('--attempts', '--type', 'push'),
    ];
    await capture(`${endpoint.capture_url}/a`, '{"amount":999}');
    const push = await capture(endpoint.capture_url, '{}', {
      headers: { 'X-GitHub-Event': 'push' },
    });
    const large = await capture(`${endpoint.capture_url}/a`, '{"amount":1000}');
    for (const [command, id] of [
      [byRule, large],
      [byType, push],
    ] as const) {
      await command.printed('attempt');
      expect(command.of('event').map((event) => event.id)).toEqual([id]);
      expect(command.of('attempt').map((attempt) => attempt.event_id)).toEqual([id]);
    }
  });

  test('takes endpoints by name, id or capture URL; several by --endpoint', async () => {
    const { account, tail } = await setting();
    const [a, b, c] = [
      await account.createEndpoint({ name: 'a' }),
      await account.createEndpoint({ name: 'b' }),
      await account.createEndpoint({ name: 'c' }),
    ];
    const commands = [
      await tail('a'),
      await tail(b.id),
      await tail(a.capture_url, '--endpoint', 'c'),
      await tail(),
    ];
    const ids: string[] = [];
    for (const one of [a, b, c, a]) ids.push(await capture(one.capture_url));
    const expected = [[0, 3], [1], [0, 2, 3], [0, 1, 2, 3]];
    for (const [i, command] of commands.entries()) {
      const wanted = (expected[i] as number[]).map((n) => ids[n]);
      const events = await command.printed('event', wanted.length);
      expect(events.map((event) => event.id)).toEqual(wanted);
    }
  });

  test('--since begins earlier, by a duration or a time', async () => {
    const { account, tail } = await setting();
    const endpoint = await account.createEndpoint();
    const before = await capture(endpoint.capture_url);
    const { received_at } = await account.event(endpoint, before);
    // The time of the next attempt must differ.
    await until('a millisecond passes', () => Date.now() > Date.parse(received_at) + 1);
    const middle = await capture(endpoint.capture_url);
    const time = (await account.event(endpoint, middle)).received_at;
    for (const [since, expected] of [
      ['10m', [before, middle]],
      [time, [middle]],
    ] as const) {
      const command = await tail('--since', since);
      const events = await command.printed('event', expected.length);
      expect(events.map((event) => event.id)).toEqual(expected);
      await command.end();
    }
  });

  test('--status prints an event when it reaches the status', async () => {
    const { account, tail } = await setting();
    const endpoint = await account.createEndpoint();
    const receiver = await httpReceiver(ok, () => {});
    onTestFinishedClose(receiver);
    receiver.respond = (request, res) => {
      (request.target.startsWith('/bad') ? status(500) : ok)(request, res);
    };
    await account.addDestination(endpoint, receiver.url);
    const [failed, dead, both] = [
      await tail('--status', 'failed'),
      await tail('--status', 'dead_letter'),
      await tail('--status', 'dead_letter', '--attempts'),
    ];
    await capture(`${endpoint.capture_url}/good`);
    // Named like the answer's own members: tail still finds the end of the head.
    const headers = { Body: '],"body_encoding":"json","body":', Body_Encoding: 'json' };
    const bad = await capture(`${endpoint.capture_url}/bad`, 'x'.repeat(300_000), { headers });
    const [event] = await dead.printed('event');
    expect(event).toMatchObject({ id: bad, status: 'dead_letter', path: '/bad', size: 300_000 });
    expect(Object.keys(event)).toHaveLength(23);
    const [first] = await failed.printed('event');
    expect(first).toMatchObject({ id: bad, status: 'failed' });
    await both.printed('event');
    // The destination's health changes by attempts of every event.
    const shown = both.records.filter(({ type }) => type !== 'health');
    expect(shown.map(({ type, attempt }) => [type, attempt])).toEqual([
      ['ready', undefined],
      ['attempt', 2],
      ['event', undefined],
    ]);
  });

  test('names the remedy in a shell without its token', async () => {
    const { code, stdout, stderr } = await hookrelay({ home: tempDir(), url: server.url }, [
      'tail',
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/nobody is logged in.*\n {2}hint: run hookrelay login/);
  });

  test('ends quietly when its reader goes away', async () => {
    const { shell, account } = await setting();
    const endpoint = await account.createEndpoint();
    for (let i = 0; i < 3; i++) await capture(endpoint.capture_url);
    const sending = setInterval(() => capture(endpoint.capture_url).catch(() => {}), 20);
    try {
      const { code, stderr } = await hookrelayCutOff(shell, ['tail', '--json', '--since', '1h']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    } finally {
      clearInterval(sending);
    }
  });
});

test.each([
  [['--since', 'yesterday'], 'Expected a time'],
  [['--status', 'lost'], 'Allowed choices are received'],
  [['a', 'b'], 'too many arguments'],
])('tail %j is wrong usage', async (args, message) => {
  const { code, stdout, stderr } = await hookrelay({ home: tempDir() }, ['tail', ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
});

describe('tail for people', () => {
  test('prints one line an event; data on stdout, notes on stderr', async () => {
    const { shell, account } = await setting();
    const endpoint = await account.createEndpoint({ name: 'orders' });
    const receiver = await httpReceiver(ok, () => {});
    onTestFinishedClose(receiver);
    await account.addDestination(endpoint, receiver.url);
    const command = new LiveCommand(shell, ['tail', 'orders', '--attempts']);
    await command.noted('following orders at ');
    const id = await capture(`${endpoint.capture_url}/ci/push`, 'x'.repeat(2000), {
      headers: { 'x-github-event': 'push' },
    });
    const [event, attempt] = await command.printedLines(2);
    const time = '\\d\\d:\\d\\d:\\d\\d';
    const path = '/ci/push'.padEnd(28);
    expect(event).toMatch(
      new RegExp(`^${time}  received     POST    ${path}    2.0 KB  github push  ${id}$`),
    );
    expect(attempt).toMatch(
      new RegExp(`^${time}  succeeded    attempt 1  200 \\(\\d+ ms\\)  ${receiver.url}/  ${id}$`),
    );
    expect(await command.end('SIGTERM')).toBe(0);
    expect(command.stderr).toBe(`following orders at ${server.url}; Ctrl-C ends it\n`);
  });

  test('prints senders’ text as plain text only', async () => {
    const { shell, account } = await setting();
    const endpoint = await account.createEndpoint({ name: '\u202eevil' });
    const [lines, json] = [
      new LiveCommand(shell, ['tail', endpoint.id]),
      new LiveCommand(shell, ['tail', '--json']),
    ];
    await lines.noted('following');
    await json.printed('ready');
    const { pathname } = new URL(endpoint.capture_url);
    const raw = await connect(server.port);
    // C1 controls pass Node's parser in header values: 0x9b is CSI, 0x9d OSC.
    raw.send(
      `POST ${pathname}/%1b%5b2J HTTP/1.1\r\nhost: x\r\nx-github-event: \x9b31mpush\x9d0;owned\x9c\r\ncontent-length: 0\r\n\r\n`,
    );
    expect(await raw.status()).toBe(200);
    const [line] = await lines.printedLines(1);
    await json.printed('event');
    expect(line).toContain('/%1b%5b2J');
    for (const text of [lines.stdout, lines.stderr, json.stdout])
      expect(controlsIn(text)).toBeNull();
    expect(json.of('event')[0].event_type).toContain('\u009b31mpush');
  });

  test('links the id at a terminal, and ends on Ctrl-C', async () => {
    const { shell, account } = await setting();
    const endpoint = await account.createEndpoint();
    const terminal = new Terminal(shell, ['tail'], { columns: 90 });
    await terminal.seen('following all endpoints');
    const id = await capture(`${endpoint.capture_url}/${'long/'.repeat(40)}`);
    await terminal.seen(`\x1b]8;;${server.url}/events/${id}\x1b\\${id}\x1b]8;;\x1b\\`);
    // The text is cut, so the line fits.
    await terminal.seen('/long/long/');
    await terminal.seen('…');
    terminal.type('\x03');
    expect(await terminal.ended()).toBe(0);
  });

  test('has no colours and links with NO_COLOR', async () => {
    const { shell, account } = await setting();
    const endpoint = await account.createEndpoint();
    const terminal = new Terminal(shell, ['tail'], { env: { NO_COLOR: '1' } });
    await terminal.seen('following all endpoints');
    await terminal.seen(await capture(endpoint.capture_url).then((id) => id));
    expect(terminal.screen).not.toContain('\x1b');
    terminal.type('\x03');
    await terminal.ended();
  });
});

test('reports late events as missed', async () => {
  const summary = { id: 'evt_a', status: 'received', received_at: new Date().toISOString() };
  let connections = 0;
  const api = http.createServer((req, res) => {
    if (req.url?.startsWith('/api/events/')) {
      res.end(JSON.stringify({ ...summary, id: req.url.slice('/api/events/'.length) }));
      return;
    }
    const frame = (event: string, data: object) =>
      res.write(`event: ${event}\nid: g.0.0\ndata: ${JSON.stringify(data)}\n\n`);
    const attempt = (number: number, event_id: string, event_status: string) =>
      frame('attempt', { id: `att_${number}`, event_id, event_status });
    frame('ready', {});
    if (++connections === 1) {
      attempt(0, 'evt_early', 'dead_letter');
      return;
    }
    frame('event', summary);
    attempt(1, 'evt_a', 'failed');
    attempt(2, 'evt_a', 'dead_letter');
    attempt(3, 'evt_c', 'dead_letter');
    res.write(': caught up\n\n');
  });
  api.listen(0, '127.0.0.1');
  onTestFinished(() => {
    api.closeAllConnections();
    api.close();
  });
  await once(api, 'listening');
  const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const shell = { home: tempDir(), url, token: 'hr_x' };
  const command = new LiveCommand(shell, ['tail', '--json', '--status', 'dead_letter']);
  await command.printed('event');
  api.closeAllConnections();
  const [reconnected] = await command.printed('reconnected');
  expect(command.of('event').map(({ id }) => id)).toEqual(['evt_early', 'evt_a', 'evt_c']);
  expect(reconnected).toMatchObject({ missed: 2 });
  expect(command.stderr).toContain('caught up 2 missed');
});

test('--exit-on-disconnect exits 1 when the server goes away', async () => {
  const own = await runServer();
  const { shell } = await accountShell(own);
  const command = new LiveCommand(shell, ['tail', '--exit-on-disconnect']);
  await command.noted('following');
  await own.stop();
  expect(await command.ended()).toBe(1);
  expect(command.stderr).toMatch(/hookrelay: .+\n {2}hint: without --exit-on-disconnect/);
});

function onTestFinishedClose(receiver: { close(): Promise<void> }): void {
  // The server keeps its connections for some seconds, and the test doesn't wait
  // for that.
  onTestFinished(() => {
    void receiver.close();
  });
}
