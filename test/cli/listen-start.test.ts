import { once } from 'node:events';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { capture } from '../fixtures/account.ts';
import { type HttpReceiver, httpReceiver, ok } from '../fixtures/receiver.ts';
import { tempDir } from '../fixtures/running-server.ts';
import { serveIn } from '../fixtures/served-process.ts';
import { hookrelay } from './command-line.ts';
import { freePort, LiveCommand } from './live-command.ts';

/** A machine on which hookrelay has never run. */
class Machine {
  readonly home = tempDir();
  readonly config = join(this.home, 'config');
  readonly data = join(this.home, 'data');
  readonly port: number;

  constructor(port: number) {
    this.port = port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** No server is named: only what makes it another machine. */
  get env(): Record<string, string> {
    return {
      XDG_CONFIG_HOME: this.config,
      XDG_DATA_HOME: this.data,
      HOOKRELAY_PORT: String(this.port),
    };
  }

  listen(...args: string[]): LiveCommand {
    return new LiveCommand({ home: this.home }, ['listen', ...args], this.env);
  }

  run(...args: string[]) {
    return hookrelay({ home: this.home }, args, undefined, this.env);
  }
}

const machine = async () => new Machine(await freePort());
const localTarget = (): Promise<HttpReceiver> =>
  httpReceiver(ok, (close) => onTestFinished(() => void close()));

const captureUrlOf = (command: LiveCommand): string => {
  return command.of('ready')[0].endpoints[0].capture_url as string;
};

test('on a new machine, listen is all it takes; the URL stays', async () => {
  const here = await machine();
  const target = await localTarget();
  const first = here.listen('--json', target.url);
  const [ready] = await first.printed('ready');
  expect(ready).toMatchObject({ url: here.url, target: `${target.url}/` });
  const captureUrl = captureUrlOf(first);
  expect(captureUrl).toMatch(new RegExp(`^${here.url}/in/`));
  // 127.0.0.1 and no --allow-private-destinations: listen itself forwards.
  await capture(`${captureUrl}/hello`, 'hi');
  await first.printed('forwarded');
  expect(target.requests[0]).toMatchObject({ target: '/hello', body: Buffer.from('hi') });
  expect(first.stderr).toContain(
    `started a server at ${here.url}, data in ${here.data}/hookrelay\n`,
  );
  expect(first.stderr).toMatch(/made the account \S+@\S+, its password is in \S+\n/);
  // The other commands find it, by the same profile.
  const listed = await here.run('endpoints', 'list', '--json');
  expect(listed.json[0].capture_url).toBe(captureUrl);
  expect(await first.end()).toBe(0);

  const account = join(here.config, 'hookrelay', 'listen', 'default.json');
  const profile = join(here.config, 'hookrelay', 'profiles', 'default.json');
  for (const file of [account, profile]) expect(statSync(file).mode & 0o777).toBe(0o600);

  // Again; and again after the session has ended, by the password that is remembered.
  const second = here.listen('--json', target.url, '--since', '1h');
  await second.printed('forwarded');
  expect(captureUrlOf(second)).toBe(captureUrl);
  expect(second.stderr).not.toContain('made the');
  await second.end();
  const saved = JSON.parse(readFileSync(profile, 'utf8'));
  writeFileSync(profile, JSON.stringify({ ...saved, accessToken: 'x', refreshToken: 'x' }));
  const third = here.listen('--json', target.url);
  await third.printed('ready');
  expect(captureUrlOf(third)).toBe(captureUrl);
  await third.end();

  // A new database has neither account nor endpoint: they are made anew.
  rmSync(here.data, { recursive: true });
  const fourth = here.listen('--json', target.url);
  await fourth.printed('ready');
  expect(captureUrlOf(fourth)).not.toBe(captureUrl);
  await fourth.end();
});

test('on all addresses of the machine, the next listen finds its own server again', async () => {
  const here = await machine();
  const target = await localTarget();
  const captureUrls: string[] = [];
  for (let i = 0; i < 2; i++) {
    const command = here.listen('--json', '--host', '0.0.0.0', target.url);
    await command.printed('ready');
    captureUrls.push(captureUrlOf(command));
    await command.end();
  }
  expect(captureUrls[1]).toBe(captureUrls[0]);
}, 45_000);

test('a server that runs there already is used, by any number of listens', async () => {
  const here = await machine();
  const served = await serveIn(join(here.data, 'hookrelay'), ['--port', String(here.port)]);
  const [a, b] = [await localTarget(), await localTarget()];
  const first = here.listen('--json', a.url);
  await first.printed('ready');
  const second = here.listen('--json', b.url);
  await second.printed('ready');
  expect(captureUrlOf(second)).toBe(captureUrlOf(first));
  for (const { stderr } of [first, second]) {
    expect(stderr).toContain(`using the server that runs at ${served.url}\n`);
    expect(stderr).not.toContain('started a server');
  }
  await capture(captureUrlOf(first));
  await first.printed('forwarded');
  await second.printed('forwarded');
  // It isn't theirs to stop.
  expect(await first.end()).toBe(0);
  expect(await second.end()).toBe(0);
  expect(served.exit).toBeNull();
});

test('a data directory that a server has at another address is told', async () => {
  const here = await machine();
  const served = await serveIn(join(here.data, 'hookrelay'));
  const command = here.listen('3000');
  expect(await command.ended()).toBe(1);
  expect(command.stderr).toMatch(
    new RegExp(`another hookrelay works on .* \\(process ${served.pid}\\), and not at ${here.url}`),
  );
  expect(command.stderr).toContain('hint: name its address with --url');
});

test('something else on the port is told', async () => {
  const here = await machine();
  const other = http.createServer((_req, res) => res.writeHead(404).end('not found'));
  other.listen(here.port, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => {
    other.closeAllConnections();
    other.close();
  });
  const command = here.listen('3000');
  expect(await command.ended()).toBe(1);
  expect(command.stderr).toContain(`something that is no hookrelay listens at ${here.url}`);
});

test('a server of another data directory gets no account and no webhooks', async () => {
  const here = await machine();
  const served = await serveIn(tempDir(), ['--port', String(here.port)]);
  const command = here.listen('3000');
  expect(await command.ended()).toBe(1);
  expect(command.stderr).toBe(
    `hookrelay: a hookrelay of another data directory listens at ${here.url}\n` +
      `  hint: log in to it (hookrelay login --url ${here.url}), or choose another --port\n`,
  );
  // Whoever is logged in there has chosen it.
  const shell = { home: here.home };
  const args = ['register', '--url', here.url, '--email', 'ada@example.com', '--password-stdin'];
  expect((await hookrelay(shell, args, 'correct horse\n', here.env)).code).toBe(0);
  const logged = here.listen('--json', '3000');
  await logged.printed('ready');
  expect(logged.stderr).toContain('made the endpoint');
  expect(logged.stderr).toContain(`using the server that runs at ${served.url}\n`);
  expect(logged.stderr).not.toContain('made the account');
  await logged.end();
});

test("somebody's login is not replaced by another account", async () => {
  const here = await machine();
  await serveIn(join(here.data, 'hookrelay'), ['--port', String(here.port)]);
  const shell = { home: here.home };
  const args = ['register', '--url', here.url, '--email', 'ada@example.com', '--password-stdin'];
  expect((await hookrelay(shell, args, 'correct horse\n', here.env)).code).toBe(0);
  const profile = join(here.config, 'hookrelay', 'profiles', 'default.json');
  const saved = readFileSync(profile, 'utf8');
  writeFileSync(
    profile,
    JSON.stringify({ ...JSON.parse(saved), accessToken: 'x', refreshToken: 'x' }),
  );
  const command = here.listen('3000');
  expect(await command.ended()).toBe(1);
  expect(command.stderr).toContain('the session has ended\n  hint: run hookrelay login');
  expect(JSON.parse(readFileSync(profile, 'utf8')).email).toBe('ada@example.com');
});
