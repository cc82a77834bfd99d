import { execFileSync } from 'node:child_process';
import type http from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { EndpointAnswer } from '../../../src/api/endpoints/endpoint-answer.ts';
import { capture } from '../../fixtures/account.ts';
import { ability, runs } from '../../fixtures/machine.ts';
import { connect } from '../../fixtures/raw-connection.ts';
import { type HttpReceiver, httpReceiver, ok } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { accountShell, Terminal } from '../command-line.ts';
import { controlsIn } from '../live-command.ts';

const server = serverOfFile();
const hasCurl = ability('curl (Debian: curl)', runs('curl', '--version'), true);
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l';
const LEAVE = '\x1b[?7h\x1b[?25h\x1b[?1049l';
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what it is for
const COLOURS = /\x1b\[[\d;]*[mK]/g;

/** A terminal with `listen`, and its screen. */
class Screen {
  readonly terminal: Terminal;

  constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  /** The lines last painted, without colours. */
  get lines(): string[] {
    const { screen } = this.terminal;
    const painted = screen.slice(screen.lastIndexOf('\x1b[H') + 3);
    const end = painted.indexOf('\x1b[J');
    const text = painted.slice(0, end < 0 ? undefined : end).replace(COLOURS, '');
    // A terminal in raw mode writes one more \r before \n.
    return text.split(/\r+\n/);
  }

  /** Resolves with the screen once a line matches. */
  async shows(line: RegExp): Promise<string[]> {
    await until(`${line} in ${JSON.stringify(this.lines)}`, () =>
      this.lines.some((one) => line.test(one)),
    ).catch((error: Error) => {
      throw new Error(`${error.message}\n${this.lines.join('\n')}`);
    });
    return this.lines;
  }

  /** Rows from the method on. The selected row begins with ▸. */
  get rows(): string[] {
    return this.lines
      .filter((line) => /^[▸ ] \d\d:\d\d:\d\d {2}/.test(line))
      .map((line) => line.replace(/^([▸ ]).{11}/, '$1 ').replace(/\(\d+ ms\)/, '(n ms)'));
  }

  press(keys: string): this {
    this.terminal.type(keys);
    return this;
  }
}

async function listening(
  ...args: string[]
): Promise<{ screen: Screen; endpoint: EndpointAnswer; target: HttpReceiver }> {
  const { shell, account } = await accountShell(server);
  const endpoint = await account.createEndpoint({ name: 'laptop' });
  const target = await httpReceiver(ok, (close) => onTestFinished(() => void close()));
  const screen = new Screen(new Terminal(shell, ['listen', target.url, ...args]));
  await screen.shows(/waiting for the first webhook/);
  return { screen, endpoint, target };
}

test('the screen shows rows, keys and details, and restores the terminal at the end', async () => {
  const { screen, endpoint, target } = await listening();
  const held: http.ServerResponse[] = [];
  target.respond = ({ target: path }, res) => {
    if (path === '/slow') held.push(res);
    else res.writeHead(path === '/broken' ? 500 : 200).end('thanks');
  };
  // The URL stays in the terminal when the screen is left.
  const [before] = screen.terminal.screen.split(ENTER);
  expect(before).toContain(`laptop  ${endpoint.capture_url}\r\n→ ${target.url}/\r\n`);
  expect(screen.lines[0]).toBe(`hookrelay listen  ● live  ${server.url}  0 forwards`);
  expect(screen.lines).toContain(`laptop  ${endpoint.capture_url}`);
  expect(screen.lines.at(-1)).toBe(
    'j/k select  r send again  d details  c copy as curl  y copy URL  q quit',
  );

  const id = await capture(`${endpoint.capture_url}/ok?x=1`, '{"a":1.0,"b":[]}', {
    headers: { 'x-github-event': 'push' },
  });
  await screen.shows(/POST \/ok → 200/);
  await capture(`${endpoint.capture_url}/broken`);
  await screen.shows(/POST \/broken → 500/);
  await capture(`${endpoint.capture_url}/slow`);
  // The row is pending after a while, and done at the end.
  await screen.shows(/POST \/slow → …/);
  expect(screen.rows).toEqual([
    '  POST /ok → 200 (n ms)  github push',
    '  POST /broken → 500 (n ms)',
    '▸ POST /slow → …',
  ]);
  // The row shows before the request is sent.
  await target.received(3);
  for (const res of held) res.end();
  await screen.shows(/POST \/slow → 200/);

  screen.press('k\x1b[A');
  await screen.shows(/^▸ .*\/ok/);
  screen.press('r');
  await screen.shows(/again POST \/ok → 200/);
  // The selection stays where a person put it.
  expect(screen.rows[0]).toBe('▸ POST /ok → 200 (n ms)  github push');
  const again = target.requests.filter(({ target: path }) => path === '/ok?x=1');
  expect(again.map(({ headers }) => headers['x-hookrelay-trigger'])).toEqual(['capture', 'replay']);
  expect(again.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
  expect(again.map(({ body }) => String(body))).toEqual(['{"a":1.0,"b":[]}', '{"a":1.0,"b":[]}']);

  screen.press('d');
  const details = await screen.shows(/^details/);
  expect(details).toContain('  "a": 1.0,');
  expect(details).toContain('x-github-event: push');
  expect(details).toContain('Response 200');
  expect(details).toContain('thanks');
  screen.press('\x1b');
  await screen.shows(/j\/k select/);

  screen.press('R');
  await screen.shows(/again POST \/broken → 500/);
  screen.press('q');
  expect(await screen.terminal.ended()).toBe(0);
  const { screen: all } = screen.terminal;
  expect(all.slice(all.lastIndexOf(LEAVE))).toMatch(/forwarded 5 events, 2 failed\r\n$/);
});

test('c copies the request as curl to the clipboard, and prints it at the end', async () => {
  const { screen, endpoint, target } = await listening(
    '--secret',
    'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  );
  await capture(`${endpoint.capture_url}/it's`, `{"it's":"$HOME"}`);
  await screen.shows(/POST \/it's → 200/);
  screen.press('c');
  await screen.shows(/^copied/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: OSC 52
  const [, copied = ''] = /\x1b\]52;c;([^\x07]+)\x07/.exec(screen.terminal.screen) ?? [];
  const command = Buffer.from(copied, 'base64').toString('utf8');
  expect(command).toMatch(/^curl '.*' -H /);
  expect(command).toContain("'webhook-signature: v1,");
  expect(command).toContain(`--data-raw '{"it'\\''s":"$HOME"}'`);
  screen.press('q');
  await screen.shows(/j\/k select/);
  screen.press('q');
  expect(await screen.terminal.ended()).toBe(0);
  const { screen: all } = screen.terminal;
  expect(all.slice(all.lastIndexOf(LEAVE))).toContain(command);
  // The copied command sends the same request.
  if (hasCurl) {
    execFileSync('/bin/sh', ['-c', `${command} &`], { stdio: 'ignore' });
    const [first, second] = await target.received(2);
    expect(second?.body).toEqual(first?.body);
    expect(second?.target).toBe(first?.target);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  }
});

test('y copies the whole capture URL, even when it is wrapped', async () => {
  const { shell, account } = await accountShell(server);
  const { capture_url } = await account.createEndpoint({
    name: 'an endpoint of quite a long name',
  });
  // Otherwise the screen would say that nothing listens there.
  const target = await httpReceiver(ok, (close) => onTestFinished(() => void close()));
  const screen = new Screen(new Terminal(shell, ['listen', target.url]));
  await screen.shows(/waiting for the first webhook/);
  const [first, second] = screen.lines.slice(1, 3) as [string, string];
  expect(first).toHaveLength(80);
  // A line that fills the screen, cleared after it is written, would lose its last
  // character: the cursor stays on it.
  expect(screen.terminal.screen).toContain(`\x1b[K${first}\r`);
  expect(first + second).toBe(`an endpoint of quite a long name  ${capture_url}`);
  screen.press('y');
  await screen.shows(/^copied the capture URL of an endpoint of quite a long name$/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: OSC 52
  const [, copied = ''] = /\x1b\]52;c;([^\x07]+)\x07/.exec(screen.terminal.screen) ?? [];
  expect(Buffer.from(copied, 'base64').toString('utf8')).toBe(capture_url);
  screen.press('q');
  expect(await screen.terminal.ended()).toBe(0);
});

test('nothing that is sent or answered controls the terminal', async () => {
  const { screen, endpoint, target } = await listening();
  target.respond = (_request, res) => void res.end('\x1b[2J\u009b31m\x1b]0;owned\x07');
  const { pathname } = new URL(endpoint.capture_url);
  const raw = await connect(server.port);
  raw.send(
    `POST ${pathname}/%1b[2J HTTP/1.1\r\nhost: x\r\nx-github-event: \x9b2J\x9d0;owned\x9c\r\nx-other: \x9b31m\r\ncontent-length: 11\r\n\r\n\x1b[2J\r\n\x1b]0;x`,
  );
  await raw.status();
  await screen.shows(/POST \/%1b\[2J → 200/);
  screen.press('d');
  await screen.shows(/^Response 200/);
  screen.press('q');
  await screen.shows(/j\/k select/);
  screen.press('c');
  await screen.shows(/^copied/);
  screen.press('\x03');
  await screen.terminal.ended();
  // Every sequence on the terminal is ours: others left only text.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what it is for
  const ours = /\x1b\[(?:H|J|K|[\d;]*m|\?(?:1049|25|7)[hl])|\x1b\]52;c;[A-Za-z0-9+/=]+\x07|\r+\n/g;
  expect(controlsIn(screen.terminal.screen.replace(ours, ''))).toBeNull();
});

test('Ctrl-C exits 0, even while a target hangs', async () => {
  const { screen, endpoint, target } = await listening();
  target.respond = () => {};
  await capture(endpoint.capture_url);
  await screen.shows(/POST \/ → …/);
  screen.press('\x03');
  expect(await screen.terminal.ended()).toBe(0);
  expect(screen.terminal.screen).toContain(LEAVE);
});
