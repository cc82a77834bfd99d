import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockDataDir } from '../../../src/store/sqlite/files/data-lock.ts';
import { callApi, capture } from '../../fixtures/account.ts';
import { type HttpReceiver, httpReceiver, ok } from '../../fixtures/receiver.ts';
import { serverOfFile, tempDir } from '../../fixtures/running-server.ts';
import { hookrelay } from '../command-line.ts';
import { freePort, LiveCommand, startProcess } from '../live-command.ts';

/** Several machines find it, at their address or on their data directory. */
const server = serverOfFile();

/** A machine on which hookrelay has never run, but for a server at its address or on its data. */
class Machine {
  readonly home = tempDir();
  readonly config = join(this.home, 'config');
  readonly data = join(this.home, 'data');
  readonly port: number;
  readonly #dataDir: string | undefined;

  /** @param dataDir of a running server. Default: this machine's own. */
  constructor(port: number, dataDir?: string) {
    this.port = port;
    this.#dataDir = dataDir;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Variables that make a different machine, without a server. */
  get env(): Record<string, string> {
    return {
      XDG_CONFIG_HOME: this.config,
      XDG_DATA_HOME: this.data,
      HOOKRELAY_PORT: String(this.port),
      ...(this.#dataDir !== undefined && { HOOKRELAY_DATA_DIR: this.#dataDir }),
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

test('on a new machine, listen alone is enough, and the URL stays', async () => {
  const here = await machine();
  const target = await localTarget();
  const first = new LiveCommand(
    { home: here.home },
    ['listen', '--json', target.url],
    here.env,
    startProcess,
  );
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

  // Listen once more, and again after the session has ended, with the remembered
  // password. A listen on all addresses finds its own server again.
  const onAll = ['--json', '--host', '0.0.0.0', target.url];
  const second = here.listen(...onAll, '--since', '1h');
  await second.printed('forwarded');
  expect(new URL(captureUrlOf(second)).pathname).toBe(new URL(captureUrl).pathname);
  expect(second.stderr).not.toContain('made the');
  await second.end();
  const saved = JSON.parse(readFileSync(profile, 'utf8'));
  writeFileSync(profile, JSON.stringify({ ...saved, accessToken: 'x', refreshToken: 'x' }));
  const third = here.listen(...onAll);
  await third.printed('ready');
  expect(captureUrlOf(third)).toBe(captureUrlOf(second));
  expect(third.stderr).not.toContain('made the');
  await third.end();

  // A new database has no account and no endpoint, so listen creates them again.
  rmSync(here.data, { recursive: true });
  const fourth = here.listen('--json', target.url);
  await fourth.printed('ready');
  expect(captureUrlOf(fourth)).not.toBe(captureUrl);
  await fourth.end();
});

test('several listens use a server that already runs', async () => {
  const here = new Machine(server.port, server.dataDir);
  const [a, b] = [await localTarget(), await localTarget()];
  const first = here.listen('--json', a.url);
  await first.printed('ready');
  const second = here.listen('--json', b.url);
  await second.printed('ready');
  expect(captureUrlOf(second)).toBe(captureUrlOf(first));
  for (const { stderr } of [first, second]) {
    expect(stderr).toContain(`using the server that runs at ${server.url}\n`);
    expect(stderr).not.toContain('started a server');
  }
  await capture(captureUrlOf(first));
  await first.printed('forwarded');
  await second.printed('forwarded');
  // The server is not theirs to stop.
  expect(await first.end()).toBe(0);
  expect(await second.end()).toBe(0);
  expect((await callApi(server, 'GET', '/healthz')).status).toBe(200);
});

test('a server of the data directory at another address is found', async () => {
  const here = new Machine(await freePort(), server.dataDir);
  const target = await localTarget();
  const command = here.listen('--json', target.url);
  await command.printed('ready');
  expect(command.stderr).toContain(`using the server that runs at ${server.url}\n`);
  await capture(captureUrlOf(command));
  await command.printed('forwarded');
  await command.end();
  // A user's login at the default address stays.
  const profile = join(here.config, 'hookrelay', 'profiles', 'default.json');
  const saved = JSON.stringify({
    ...{ url: here.url, email: 'ada@example.com', accessToken: 'x', refreshToken: 'x' },
  });
  writeFileSync(profile, saved);
  const refused = here.listen(target.url);
  expect(await refused.ended()).toBe(1);
  expect(refused.stderr).toContain(
    `hookrelay: nobody is logged in at ${server.url} (profile default is for ${here.url})\n` +
      `  hint: hookrelay login --url ${server.url}, or use another profile, such as --profile local\n`,
  );
  expect(readFileSync(profile, 'utf8')).toBe(saved);
});

test('a data directory in use by a command is an error', async () => {
  const here = await machine();
  const directory = join(here.data, 'hookrelay');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = lockDataDir(directory);
  onTestFinished(() => lock.release());
  const command = here.listen('3000');
  expect(await command.ended()).toBe(1);
  expect(command.stderr).toBe(
    `hookrelay: another hookrelay works on ${directory} (process ${process.pid}), and no server answers there\n` +
      '  hint: wait until that process ends, or use another --data-dir\n',
  );
});

test('each data directory keeps its account and capture URL, also with --port 0', async () => {
  const here = await machine();
  const [own, other] = [join(here.data, 'hookrelay'), join(here.home, 'other')];
  const paths: string[] = [];
  for (const directory of [own, other]) {
    const command = here.listen('--json', '--port', '0', '--data-dir', directory, '3000');
    await command.printed('ready');
    const { origin, pathname } = new URL(captureUrlOf(command));
    expect(command.stderr).toContain(`started a server at ${origin}, data in ${directory}\n`);
    paths.push(pathname);
    // The other commands find it.
    expect((await here.run('whoami', '--json')).json.url).toBe(origin);
    if (directory === own) {
      const beside = here.listen('--json', '--port', '0', '3000');
      await beside.printed('ready');
      expect(beside.stderr).toContain(`using the server that runs at ${origin}\n`);
      expect(captureUrlOf(beside)).toBe(captureUrlOf(command));
      await beside.end();
    }
    expect(await command.end()).toBe(0);
  }
  expect(paths[1]).not.toBe(paths[0]);
  // Without that server, at the usual address: the first directory's again.
  const usual = here.listen('--json', '3000');
  await usual.printed('ready');
  expect(captureUrlOf(usual)).toBe(here.url + paths[0]);
  await usual.end();
});

test('a login elsewhere: server options that cannot apply are refused, and a server that is gone is reported', async () => {
  const here = await machine();
  const shell = { home: here.home };
  const login = ['register', '--url', server.url, '--email', 'ada@example.com', '--password-stdin'];
  expect((await hookrelay(shell, login, 'correct horse\n', here.env)).code).toBe(0);
  const refused = async (...args: string[]) => {
    const command = here.listen(...args);
    expect(await command.ended()).toBe(2);
    expect(command.stdout).toBe('');
    return command.stderr;
  };
  expect(await refused('3000', '--tunnel')).toBe(
    `hookrelay: --tunnel is for a server that listen starts, but profile default is logged in to ${server.url}\n` +
      '  hint: remove it, or use another profile, such as --profile local\n',
  );
  expect(await refused('3000', '--url', server.url, '--port', '0', '--data-dir', 'x')).toBe(
    `hookrelay: --port, --data-dir are for a server that listen starts, but --url (HOOKRELAY_URL) names ${server.url}\n` +
      '  hint: remove one of them\n',
  );

  // The server of the login is gone. listen's own is no obstacle.
  const gone = `http://127.0.0.1:${await freePort()}`;
  const profile = join(here.config, 'hookrelay', 'profiles', 'default.json');
  const saved = JSON.parse(readFileSync(profile, 'utf8'));
  writeFileSync(profile, JSON.stringify({ ...saved, url: gone }));
  const command = here.listen('3000');
  expect(await command.ended()).toBe(1);
  expect(command.stderr).toBe(
    `hookrelay: no hookrelay answers at ${gone}: the connection is refused\n` +
      '  hint: profile default is logged in there: start that server, or use one on this machine with hookrelay listen --profile local\n',
  );

  const first = here.listen('--json', '--profile', 'local', '3000');
  await first.printed('ready');
  const running = `hookrelay: a server at ${here.url} already uses ${here.data}/hookrelay:`;
  const orStop = ', or stop that server, and listen starts its own\n';
  const local = ['3000', '--profile', 'local'];
  expect(await refused(...local, '--max-body', '1mb')).toBe(
    `${running} --max-body would not apply to it\n  hint: remove it${orStop}`,
  );
  const elsewhere = String(await freePort());
  expect(await refused(...local, '--port', elsewhere, '--allow-private-destinations')).toBe(
    `${running} --port, --allow-private-destinations would not apply to it\n  hint: remove them${orStop}`,
  );
  // If the running server is known to have these settings, they are satisfied.
  const met = ['--port', String(here.port), '--data-dir', join(here.data, 'hookrelay')];
  const beside = here.listen('--json', ...local, ...met);
  await beside.printed('ready');
  expect(captureUrlOf(beside)).toBe(captureUrlOf(first));
  await beside.end();
  await first.end();
});

test('a different program on the port is reported', async () => {
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
  expect(command.stderr).toContain(`another program than hookrelay listens at ${here.url}`);
});

test('a server of another data directory gets no account and no webhooks', async () => {
  const here = new Machine(server.port);
  const command = here.listen('3000');
  expect(await command.ended()).toBe(1);
  expect(command.stderr).toBe(
    `hookrelay: a hookrelay with another data directory listens at ${here.url}\n` +
      `  hint: log in to it (hookrelay login --url ${here.url}), or choose another --port\n`,
  );
  // The logged-in user chose this server.
  const shell = { home: here.home };
  const args = ['register', '--url', here.url, '--email', 'bea@example.com', '--password-stdin'];
  expect((await hookrelay(shell, args, 'correct horse\n', here.env)).code).toBe(0);
  const logged = here.listen('--json', '3000');
  await logged.printed('ready');
  expect(logged.stderr).toContain('made the endpoint');
  expect(logged.stderr).toContain(`using the server that runs at ${server.url}\n`);
  expect(logged.stderr).not.toContain('made the account');
  await logged.end();
});

test("listen does not replace a user's login by another account", async () => {
  const here = new Machine(server.port, server.dataDir);
  const shell = { home: here.home };
  const args = ['register', '--url', here.url, '--email', 'carl@example.com', '--password-stdin'];
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
  expect(JSON.parse(readFileSync(profile, 'utf8')).email).toBe('carl@example.com');
});
