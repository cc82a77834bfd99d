import { expect, test } from 'vitest';
import { hookrelay, Terminal } from '../cli/command-line.ts';
import { callApi, register } from '../fixtures/account.ts';
import { tempDir } from '../fixtures/running-server.ts';
import { type Served, serveHere } from '../fixtures/served-process.ts';
import { until } from '../fixtures/until.ts';

/* What `serve` says when it is ready, and who gets to see the link to the first account. */

const LINK = /\/setup#[A-Za-z0-9_-]{32}/;

const linesOf = (text: string) => text.trimEnd().split('\n');

/** Ends the server and returns its lines of stderr, each of which must be a JSON log line. */
async function jsonLog(served: Served) {
  served.kill('SIGTERM');
  await served.exited();
  return linesOf(served.stderr).map((line) => {
    const logged = JSON.parse(line);
    expect(logged).toMatchObject({ time: expect.any(String), level: expect.any(String) });
    return logged as { level: string; msg: string; url?: string };
  });
}

test('with --json, stdout has ready and then the link, and stderr is a log without it', async () => {
  const dataDir = tempDir();
  const served = await serveHere(dataDir, ['--json']);
  await until('both objects', () => linesOf(served.stdout).length === 2);
  const [ready, setup] = linesOf(served.stdout);
  expect(ready).toBe(`{"type":"ready","url":"${served.url}"}`);
  expect(JSON.parse(setup as string)).toEqual({
    type: 'setup',
    url: expect.stringMatching(new RegExp(`^${served.url}${LINK.source}$`)),
  });
  await register(served);
  const log = await jsonLog(served);
  expect(log[0]).toMatchObject({
    msg: expect.stringMatching(/^hookrelay \d+\.\d+\.\d+ is ready at http:/),
    url: served.url,
  });
  expect(log.map(({ msg }) => msg).join()).not.toContain('no account yet');
  expect(served.stderr).not.toMatch(LINK);

  const again = await serveHere(dataDir, ['--json']);
  await jsonLog(again);
  expect(again.stdout).toBe(`{"type":"ready","url":"${again.url}"}\n`);
});

test('a log alone has no link, but the command that creates the account', async () => {
  const dataDir = tempDir();
  const served = await serveHere(dataDir);
  const told = /"hookrelay (users create --email EMAIL --data-dir \S+)"/;
  const [, args = ''] = await until('the output arrives', () =>
    told.exec(served.stderr.replaceAll('\\"', '"')),
  );
  const { code } = await hookrelay(
    { home: tempDir() },
    [...args.replace('EMAIL', 'ada@example.com').split(' '), '--password-stdin'],
    'correct horse\n',
  );
  expect(code).toBe(0);
  const login = { email: 'ada@example.com', password: 'correct horse' };
  expect((await callApi(served, 'POST', '/api/auth/login', login)).status).toBe(200);
  const log = await jsonLog(served);
  expect(log[1]).toMatchObject({ level: 'info', msg: expect.stringContaining('--json') });
  expect(served.stdout + served.stderr).not.toMatch(LINK);
});

test('a pretty log outside a terminal has plain lines and no link', async () => {
  const served = await serveHere(tempDir(), ['--log-format', 'pretty']);
  await until('the output arrives', () => served.stderr.includes('users create'));
  const [ready, account] = linesOf(served.stderr);
  expect(ready).toMatch(/^hookrelay \d+\.\d+\.\d+ is ready at http:\/\/127\.0\.0\.1:\d+$/);
  expect(account).toMatch(/^hookrelay has no account yet: /);
  expect(served.stderr).not.toMatch(LINK);
});

test.each(['pretty', 'json'])('a terminal shows the link, also with a %s log', async (format) => {
  const args = ['serve', '--port', '0', '--data-dir', tempDir(), '--log-format', format];
  const terminal = new Terminal({ home: tempDir() }, args, { columns: 400 });
  await terminal.seen('create the first one at ');
  await until('the link is whole', () => LINK.test(terminal.screen));
  terminal.type('\x03');
  expect(await terminal.ended()).toBe(0);
  expect(terminal.lines.filter((line) => LINK.test(line))).toHaveLength(1);
  if (format === 'json') {
    // The terminal itself echoes the Ctrl-C.
    const lines = terminal.lines.map((line) => line.replace('^C', '')).filter(Boolean);
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('msg');
  }
});
