import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../delivery/receivers.ts';
import { type Account, callApi, capture, expectStatus, register } from '../fixtures/account.ts';
import { EventStream } from '../fixtures/event-stream.ts';
import { request } from '../fixtures/http-request.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { connect } from '../fixtures/raw-connection.ts';
import { hang, httpReceiver, ok, status } from '../fixtures/receiver.ts';
import { checkDatabase, runServer, tempDir } from '../fixtures/running-server.ts';
import {
  type Served,
  serveHere,
  serveIn,
  spawnHere,
  spawnServe,
} from '../fixtures/served-process.ts';
import { storedIds } from '../fixtures/stored-ids.ts';
import { until } from '../fixtures/until.ts';

/* `hookrelay serve` as a process: what it prints, when it refuses, how it ends. */

failOnLeaks();

const LAPTOP = ['--allow-private-destinations'];

describe('the start', () => {
  // "The shutdown" has SIGTERM.
  test('prints ready when it is; SIGINT ends it, and stdout stays empty', async () => {
    const served = await serveIn(tempDir());
    expect((await callApi(served, 'GET', '/readyz')).status).toBe(200);
    served.kill('SIGINT');
    expect(await served.exited()).toEqual({ code: 0, signal: null });
    expect(served.stdout).toBe('');
  });

  test('takes settings from the environment, and flags win', async () => {
    const env = { HOOKRELAY_HOST: '::1', HOOKRELAY_PORT: '1', HOOKRELAY_REGISTRATION: 'closed' };
    const served = await serveHere(tempDir(), [], env);
    expect(served.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    const body = { email: 'a@example.com', password: 'long enough' };
    const answer = await callApi(served, 'POST', '/api/auth/register', body);
    expect([answer.status, answer.json.error.code]).toEqual([403, 'registration_closed']);
  });

  test('creates files for its owner alone', async () => {
    const parent = tempDir();
    chmodSync(parent, 0o755);
    const dataDir = path.join(parent, 'data');
    const served = await serveHere(dataDir);
    const account = await register(served);
    await capture((await account.createEndpoint()).capture_url);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    const files = readdirSync(dataDir);
    expect(files).toContain('hookrelay.db');
    expect(files).toContain('secret.key');
    for (const file of files) {
      // SQLite's own journals come and go.
      const found = statSync(path.join(dataDir, file), { throwIfNoEntry: false });
      if (found) expect([file, found.mode & 0o077]).toEqual([file, 0]);
    }
  });
});

describe('the start refuses', () => {
  async function refusal(flags: string[], env: Record<string, string> = {}) {
    const refused = spawnHere([...flags, '--log-format', 'pretty'], env);
    const { code } = await refused.exited();
    expect(refused.stdout).toBe('');
    expect(refused.stderr).not.toMatch(/^\s+at /m);
    return { code, stderr: refused.stderr };
  }

  test('a busy port, by name', async () => {
    const busy = net.createServer().listen(0, '127.0.0.1');
    await once(busy, 'listening');
    onTestFinished(() => {
      busy.close();
    });
    const { port } = busy.address() as net.AddressInfo;
    const { code, stderr } = await refusal(['--port', String(port), '--data-dir', tempDir()]);
    expect(code).toBe(1);
    expect(stderr).toContain(`port ${port}`);
    expect(stderr).toMatch(/hint: .*--port/);
  });

  test('a data directory in use, and names the process', async () => {
    const dataDir = tempDir();
    const first = await serveIn(dataDir);
    const { code, stderr } = await refusal(['--port', '0', '--data-dir', dataDir]);
    expect(code).toBe(1);
    expect(stderr).toContain(`process ${first.pid}`);
    expect(stderr).toContain(dataDir);
    expect((await callApi(first, 'GET', '/readyz')).status).toBe(200);
    first.kill('SIGTERM');
    await first.exited();
    const second = await serveHere(dataDir);
    expect((await callApi(second, 'GET', '/readyz')).status).toBe(200);
  });

  test('a data directory that cannot be created', async () => {
    const { code, stderr } = await refusal(['--port', '0', '--data-dir', '/proc/nope']);
    expect(code).toBe(1);
    expect(stderr).toContain('cannot make /proc/nope');
    expect(stderr).toMatch(/hint: .*--data-dir/);
  });

  test('a secret other than the database was written with', async () => {
    const dataDir = tempDir();
    const [one, two] = [
      'the first of two secrets, of 32+ bytes',
      'the second of two secrets, as long',
    ];
    const first = await serveHere(dataDir, [], { HOOKRELAY_SECRET_KEY: one });
    const account = await register(first);
    first.kill('SIGTERM');
    await first.exited();
    for (const env of [{ HOOKRELAY_SECRET_KEY: two }, {}] as Record<string, string>[]) {
      const { code, stderr } = await refusal(['--port', '0', '--data-dir', dataDir], env);
      expect(code).toBe(1);
      expect(stderr).toMatch(/secret/);
      expect(stderr).toMatch(/hint: /);
      expect(stderr).not.toContain(two);
    }
    const again = await serveHere(dataDir, [], { HOOKRELAY_SECRET_KEY: one });
    const me = await callApi(again, 'GET', '/api/me', undefined, {
      headers: { authorization: account.authorization },
    });
    expect(me.status).toBe(200);
  });

  test('a database without its secret.key, and creates no new one', async () => {
    const dataDir = tempDir();
    const first = await serveHere(dataDir);
    const account = await register(first);
    first.kill('SIGTERM');
    await first.exited();
    const key = path.join(dataDir, 'secret.key');
    renameSync(key, `${key}.lost`);
    for (let i = 0; i < 2; i++) {
      const { code, stderr } = await refusal(['--port', '0', '--data-dir', dataDir]);
      expect(code).toBe(1);
      expect(stderr).toContain(key);
      expect(stderr).toMatch(/hint: .*secret\.key.*backup/);
      expect(existsSync(key)).toBe(false);
    }
    renameSync(`${key}.lost`, key);
    const again = await serveHere(dataDir);
    const me = await callApi(again, 'GET', '/api/me', undefined, {
      headers: { authorization: account.authorization },
    });
    expect(me.status).toBe(200);
  });

  test.each([
    ['garbage', 'this is no database '.repeat(100)],
    ['an empty file', ''],
  ])('%s in place of its database, which stays unchanged', async (_name, content) => {
    const dataDir = tempDir();
    const file = path.join(dataDir, 'hookrelay.db');
    writeFileSync(file, content);
    const { code, stderr } = await refusal(['--port', '0', '--data-dir', dataDir]);
    expect(code).toBe(1);
    expect(stderr).toContain(file);
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  test.each([
    [
      'a newer schema',
      'PRAGMA user_version = 9999',
      /has schema 9999.*\n.*hint: .*newer hookrelay/,
    ],
    [
      'another program’s tables',
      'PRAGMA application_id = 7; PRAGMA user_version = 1',
      /of another program.*\n.*hint: .*--data-dir/,
    ],
  ])('a database of %s, which stays unchanged', async (_name, change, said) => {
    const dataDir = await usedDirectory('SIGTERM');
    const file = path.join(dataDir, 'hookrelay.db');
    const db = new Database(file);
    db.exec(change);
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
    const before = readFileSync(file);
    const { code, stderr } = await refusal(['--port', '0', '--data-dir', dataDir]);
    expect(code).toBe(1);
    expect(stderr).toMatch(said);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  /** A server's data directory after captures, as `end` left it. */
  async function usedDirectory(end: NodeJS.Signals): Promise<string> {
    const dataDir = tempDir();
    const served = await (end === 'SIGKILL' ? serveIn : serveHere)(dataDir);
    const endpoint = await (await register(served)).createEndpoint();
    for (let i = 0; i < 3; i++) await capture(endpoint.capture_url);
    served.kill(end);
    await served.exited();
    return dataDir;
  }

  test.each([
    ['after a kill: its log is still there', 'SIGKILL', 'hookrelay.db-wal'],
    ['after a stop: its search index is still there', 'SIGTERM', 'search.db'],
  ] as const)('a lost database, %s', async (_name, end, trace) => {
    const dataDir = await usedDirectory(end);
    rmSync(path.join(dataDir, 'hookrelay.db'));
    // The lock's own files come and go with each process that asks for it.
    const left = () =>
      readdirSync(dataDir)
        .filter((name) => !/^(lock|holder)/.test(name))
        .map((name) => [name, readFileSync(path.join(dataDir, name), 'hex')]);
    const before = left();
    expect(before.map(([name]) => name)).toContain(trace);
    for (let i = 0; i < 2; i++) {
      const { code, stderr } = await refusal(['--port', '0', '--data-dir', dataDir]);
      expect(code).toBe(1);
      expect(stderr).toContain(path.join(dataDir, 'hookrelay.db'));
      expect(stderr).toContain(trace);
      expect(stderr).toMatch(/hint: .*hookrelay restore FILE/);
    }
    expect(left()).toEqual(before);
  });

  test('a database lost except its secret, but not a secret prepared for a first start', async () => {
    const dataDir = await usedDirectory('SIGTERM');
    const key = readFileSync(path.join(dataDir, 'secret.key'), 'utf8');
    for (const file of readdirSync(dataDir)) {
      if (/^(hookrelay|search)\.db/.test(file)) rmSync(path.join(dataDir, file));
    }
    const { code, stderr } = await refusal(['--port', '0', '--data-dir', dataDir]);
    expect(code).toBe(1);
    expect(stderr).toContain('secret.key');
    expect(readdirSync(dataDir).filter((name) => name.startsWith('hookrelay'))).toEqual([]);

    const fresh = tempDir();
    writeFileSync(path.join(fresh, 'secret.key'), key, { mode: 0o600 });
    const first = spawnServe(['--port', '0', '--data-dir', fresh]);
    const draft = path.join(fresh, 'hookrelay.db.new');
    await until('the database is being made', () => existsSync(draft) || first.url !== '');
    first.kill('SIGKILL');
    await first.exited();
    const second = await serveHere(fresh);
    expect((await callApi(second, 'GET', '/readyz')).status).toBe(200);
    expect(readFileSync(path.join(fresh, 'secret.key'), 'utf8')).toBe(key);
  });

  test('with one object in a JSON log, and no line of another kind', async () => {
    const file = path.join(tempDir(), 'file');
    writeFileSync(file, '');
    const refused = spawnHere(['--port', '0', '--data-dir', file, '--log-format', 'json']);
    expect(await refused.exited()).toEqual({ code: 1, signal: null });
    expect(JSON.parse(refused.stderr)).toMatchObject({
      level: 'error',
      msg: expect.stringContaining(`cannot make ${file}`),
      code: 'data_dir_unusable',
      hint: expect.stringContaining('--data-dir'),
    });
  });

  test('wrong usage, with exit code 2', async () => {
    const { code, stderr } = await refusal(['--port', 'eighty']);
    expect(code).toBe(2);
    expect(stderr).toContain('--port');
  });
});

/** Sends to a capture URL over kept connections until the server ends, and counts the outcomes. */
function hammer(captureUrl: string, clients: number) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: clients });
  const acknowledged: string[] = [];
  const refused: number[] = [];
  const done = Promise.all(
    Array.from({ length: clients }, async () => {
      for (;;) {
        try {
          const answer = await request(captureUrl, { method: 'POST', body: '{}', agent });
          if (answer.status === 200) {
            acknowledged.push(answer.headers['x-hookrelay-event-id'] as string);
          } else refused.push(answer.status);
        } catch {
          return;
        }
      }
    }),
  ).finally(() => agent.destroy());
  return { acknowledged, refused, done };
}

/** The status of an answer, or the code of the error that prevented it. */
async function statusOrError(url: string): Promise<number | string | undefined> {
  try {
    return (await request(url)).status;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

describe('the shutdown', () => {
  test('by SIGTERM under load answers and stores all that was taken in, and exits 0', async () => {
    const dataDir = tempDir();
    const target = await httpReceiver();
    const served = await serveIn(dataDir, LAPTOP);
    const account = await register(served);
    const endpoint = await account.createEndpoint();
    await account.addDestination(endpoint, target.url);
    const load = hammer(endpoint.capture_url, 20);
    const upload = await connect(served.port);
    upload.send(
      `POST /in/${endpoint.public_token}/slow HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\n\r\nslow`,
    );
    await until('it is under load', () => load.acknowledged.length >= 200);
    served.kill('SIGTERM');
    await until('it drains', () => served.stderr.includes('draining'));
    upload.send('!');
    expect(await upload.status()).toBe(200);
    expect(await served.exited()).toEqual({ code: 0, signal: null });
    expect(served.stdout).toBe('');
    await load.done;

    expect(load.refused).toEqual([]);
    const slow = /x-hookrelay-event-id: (\S+)/.exec(upload.received)?.[1] as string;
    // The log is merged into the database, and no process holds the directory.
    expect(readdirSync(dataDir).filter((file) => /-wal$|^holder/.test(file))).toEqual([]);
    // Exactly the answered requests are stored.
    expect(storedIds(dataDir).sort()).toEqual([...load.acknowledged, slow].sort());
    checkDatabase(dataDir);

    // Undelivered events are delivered after the restart.
    const again = await serveHere(dataDir, LAPTOP);
    const delivered = () => new Set(target.requests.map(({ headers }) => headers['webhook-id']));
    await until('all are delivered', () => delivered().size === storedIds(dataDir).length);
    again.kill('SIGTERM');
    await again.exited();
  });

  test('lets attempts under way end and records them', async () => {
    const dataDir = tempDir();
    let answer = () => {};
    const target = await httpReceiver((_request, res) => {
      answer = () => res.end('late');
    });
    const served = await serveHere(dataDir, LAPTOP);
    const account = await register(served);
    const endpoint = await account.createEndpoint();
    await account.addDestination(endpoint, target.url);
    const id = await capture(endpoint.capture_url);
    await target.received(1);
    served.kill('SIGTERM');
    await until('it drains', () => served.stderr.includes('draining'));
    answer();
    expect(await served.exited()).toEqual({ code: 0, signal: null });
    target.respond = ok;
    const again = await serveHere(dataDir, LAPTOP);
    const path = `/api/endpoints/${endpoint.id}/events/${id}/deliveries`;
    const { json } = await callApi(again, 'GET', path, undefined, {
      headers: { authorization: account.authorization },
    });
    expect(json).toMatchObject([{ response_code: 200, response_body: 'late', attempt: 1 }]);
    expect(target.requests).toHaveLength(1);
  });

  test('fails readiness and ends streams; a second signal exits at once', async () => {
    const target = await httpReceiver(hang);
    const served = await serveIn(tempDir(), LAPTOP);
    const account = await register(served);
    const endpoint = await account.createEndpoint();
    await account.addDestination(endpoint, target.url);
    const stream = new EventStream(`${served.url}/api/stream`, account.authorization);
    await until('the stream begins', () => stream.frames.length > 0);
    await capture(endpoint.capture_url);
    await target.received(1);
    // A request under way keeps this connection, on which another request waits.
    const connection = await connect(served.port);
    connection.send(
      `POST /in/${endpoint.public_token} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\nh`,
    );
    expect((await callApi(served, 'GET', '/readyz')).status).toBe(200);
    served.kill('SIGTERM');
    await until('the stream ends', () => stream.ended);
    connection.send('iGET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n');
    expect(await connection.status(1)).toBe(200);
    expect(await connection.status(2)).toBe(503);
    expect(connection.received).toContain('"not_ready"');
    // New clients get the same answer, until the server accepts no more.
    await until('no connection is accepted', async () => {
      const code = await statusOrError(`${served.url}/readyz`);
      if (code !== 'ECONNREFUSED') expect(code).toBe(503);
      return code === 'ECONNREFUSED';
    });
    // The attempt hangs. A drain that gave it up would exit with 0.
    expect(served.exit).toBeNull();
    served.kill('SIGTERM');
    expect((await served.exited()).code).toBe(1);
  });

  test('serves on during a drain delay, and each answer is the last of its connection', async () => {
    const served = await serveIn(tempDir(), ['--drain-delay', '1h']);
    const account = await register(served);
    const endpoint = await account.createEndpoint();
    const post = `POST /in/${endpoint.public_token} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}`;
    const odd = post.replace('\r\n', '\r\nexpect: a miracle\r\n');
    const get = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';
    const kept = await Promise.all([post, get].map(() => connect(served.port)));
    for (const [i, text] of [post, get].entries()) {
      kept[i]?.send(text);
      expect(await kept[i]?.status()).toBe(200);
      expect(kept[i]?.received).not.toMatch(/^connection: close/im);
    }
    const stream = new EventStream(`${served.url}/api/stream`, account.authorization);
    await until('the stream begins', () => stream.frames.length > 0);
    served.kill('SIGTERM');
    await until('it drains', async () => (await statusOrError(`${served.url}/readyz`)) === 503);
    for (const [i, text] of [post, get].entries()) {
      kept[i]?.send(text);
      expect(await kept[i]?.status(2)).toBe(200);
      expect(kept[i]?.received).toMatch(/^connection: close/im);
      await kept[i]?.closedByServer();
    }
    for (const text of [post, odd, get]) {
      const fresh = await connect(served.port);
      fresh.send(text);
      expect(await fresh.status()).toBe(200);
      await fresh.closedByServer();
      expect(fresh.received).toMatch(/^connection: close/im);
    }
    await until('the stream has three', () => {
      return stream.frames.filter(({ event }) => event === 'event').length >= 3;
    });
    expect(stream.ended).toBe(false);
    served.kill('SIGTERM');
    expect((await served.exited()).code).toBe(1);
  });

  test('goes on as usual after the drain delay', async () => {
    const served = await serveHere(tempDir(), ['--drain-delay', '300ms']);
    const idle = await connect(served.port);
    idle.send('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    await idle.status();
    served.kill('SIGTERM');
    await idle.closedByServer();
    expect(await served.exited()).toEqual({ code: 0, signal: null });
  });

  test('completes a download under way', async () => {
    const server = await runServer();
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    const body = Buffer.alloc(20 * 1024 * 1024, 'a');
    const id = await capture(endpoint.capture_url, body);
    const connection = await connect(server.port);
    connection.send(
      `GET /api/endpoints/${endpoint.id}/events/${id}/raw HTTP/1.1\r\nhost: localhost\r\n` +
        `authorization: ${account.authorization}\r\n\r\n`,
    );
    await connection.status();
    connection.socket.pause();
    const stopping = server.stop();
    // The client reads nothing before the drain has begun.
    await until('no connection is accepted', async () => {
      return (await statusOrError(`${server.url}/healthz`)) === 'ECONNREFUSED';
    });
    connection.socket.resume();
    await connection.closedByServer();
    await stopping;
    const received = connection.received.slice(connection.received.indexOf('\r\n\r\n') + 4);
    expect(received.length).toBe(body.length);
  });

  test('does not wait for a client with half a request head', async () => {
    const server = await runServer();
    const texts = ['GET /healthz HT', 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n', 'P', ''];
    const halves = await Promise.all(texts.map(() => connect(server.port)));
    for (const [i, half] of halves.entries()) half.send(texts[i] as string);
    const idle = await connect(server.port);
    idle.send('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await idle.status();
    const upload = await connect(server.port);
    upload.send('POST /in/nobody HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\n\r\nslow');
    await until('it is being received', async () => {
      const { body } = await request(`${server.url}/metrics`);
      return /capture_bytes_in_flight 4$/m.test(body.toString());
    });
    const stopping = server.stop();
    await Promise.all([...halves, idle].map((one) => one.closedByServer()));
    // The end of the grace would have cut this one too.
    upload.send('!');
    expect(await upload.status()).toBe(404);
    await stopping;
  });
});

describe('over TLS', () => {
  test('a certificate and a key that do not serve are refused with a hint', async () => {
    const [one, other] = [selfSigned('localhost').certFile, selfSigned('localhost').certFile];
    const garbage = one.replace(/cert\.pem$/, 'none');
    writeFileSync(garbage, 'no certificate\n');
    const wrong: [what: string, tlsCert: string, tlsKey: string][] = [
      ['is not there', '/nonexistent/cert.pem', '/nonexistent/key.pem'],
      ['is no PEM', garbage, one],
      ['has no key', one, one],
      ['has the key of another', one, other.replace(/cert\.pem$/, 'key.pem')],
    ];
    for (const [what, tlsCert, tlsKey] of wrong) {
      await expect(runServer({ tlsCert, tlsKey }), what).rejects.toMatchObject({
        code: 'config_invalid',
        hint: expect.stringContaining('--tls-cert and --tls-key'),
      });
    }
  });

  test('SIGHUP reads the certificate again, keeps the old one for a broken pair, and never ends', async () => {
    const { certFile } = selfSigned('localhost');
    const keyFile = certFile.replace(/cert\.pem$/, 'key.pem');
    const next = selfSigned('localhost');
    const served = await serveIn(tempDir(), ['--tls-cert', certFile, '--tls-key', keyFile]);
    const shown = async () => {
      const options = { port: served.port, host: '127.0.0.1', rejectUnauthorized: false };
      const socket = tls.connect(options);
      await once(socket, 'secureConnect');
      const { raw } = socket.getPeerCertificate();
      socket.destroy();
      return raw.toString('base64');
    };
    const first = await shown();
    writeFileSync(certFile, next.cert);
    served.kill('SIGHUP');
    await until('it refuses the broken pair', () =>
      served.stderr.includes('was not read again; the server keeps the one from before'),
    );
    expect(served.stderr).toContain('"level":"error"');
    expect(await shown()).toBe(first);
    writeFileSync(keyFile, next.key);
    served.kill('SIGHUP');
    await until('it took the new pair', () => served.stderr.includes('was read again'));
    expect(await shown()).toBe(new X509Certificate(next.cert).raw.toString('base64'));
    served.kill('SIGTERM');
    expect((await served.exited()).code).toBe(0);
  });

  test('SIGHUP without TLS says so, and a misspelt variable is named', async () => {
    const served = await serveIn(tempDir(), [], { HOOKRELAY_RETENTON: '1d' });
    served.kill('SIGHUP');
    await until('it looked', () => served.stderr.includes('there is no certificate to read again'));
    expect((await callApi(served, 'GET', '/readyz')).status).toBe(200);
    expect(served.stderr).toContain('nothing reads the variable HOOKRELAY_RETENTON');
    expect(served.stderr).toContain('did you mean HOOKRELAY_RETENTION?');
  });

  async function secured() {
    const { certFile, cert } = selfSigned('localhost');
    const server = await runServer({
      tlsCert: certFile,
      tlsKey: certFile.replace(/cert\.pem$/, 'key.pem'),
    });
    expect(server.url).toMatch(/^https:/);
    /** A separate connection that sends and receives text. */
    const open = async () => {
      const socket = tls.connect({
        port: server.port,
        host: '127.0.0.1',
        ca: cert,
        servername: 'localhost',
      });
      const connection = { socket, received: '', closed: false };
      onTestFinished(() => {
        socket.destroy();
      });
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        connection.received += chunk;
      });
      socket.on('close', () => {
        connection.closed = true;
      });
      await once(socket, 'secureConnect');
      return connection;
    };
    return { server, open };
  }

  test('the server works the same', async () => {
    const { server, open } = await secured();
    const connection = await open();
    connection.socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await until('it answers', () => connection.received.includes('{"status":"ok"}'));
    // A client without TLS is cut off, and others are not.
    const plain = await connect(server.port);
    plain.send('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await plain.closedByServer();
    expect(plain.statuses.filter((code) => code < 400)).toEqual([]);
    connection.socket.write('GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
    await until('it answers and closes', () => connection.closed);
    expect(connection.received.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
  });

  test('it drains as well: requests under way are answered, idle connections closed', async () => {
    const { server, open } = await secured();
    const idle = await open();
    idle.socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await until('it is idle', () => idle.received.includes('{"status":"ok"}'));
    const uploads = [await open(), await open()] as const;
    for (const { socket } of uploads) {
      socket.write('POST /in/nobody HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\n\r\nslow');
    }
    await until('both are being received', () => {
      if (/capture_bytes_in_flight 8$/m.test(idle.received)) return true;
      idle.received = '';
      idle.socket.write('GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n');
      return new Promise<boolean>((resolve) => {
        idle.socket.once('data', () => setImmediate(() => resolve(false)));
      });
    });
    const stopping = server.stop();
    await until('the idle one is closed', () => idle.closed);
    // The end of the grace would cut both uploads: each ends while the next is under way.
    for (const upload of uploads) {
      upload.socket.write('!');
      await until('it is closed', () => upload.closed);
      expect(upload.received).toContain('"endpoint_not_found"');
    }
    await stopping;
  });
});

describe('the log', () => {
  /** A day of an account, mistakes included. Returns the texts that must not be logged. */
  async function session(served: Served): Promise<string[]> {
    const secrets: string[] = [];
    const target = await httpReceiver(status(500));
    const account: Account = await register({ url: served.url, secrets });
    const { email, password, refreshToken } = account;
    const calls: [string, string, unknown?][] = [
      ['POST', '/api/auth/login', { email, password }],
      ['POST', '/api/auth/login', { email, password: `${password} wrong` }],
      ['POST', '/api/auth/login', `{"email": "${email}", "password": "${password}"`],
      ['POST', '/api/auth/register', { email, password }],
      ['POST', '/api/auth/register', { email: password, password: email }],
      ['POST', '/api/auth/refresh', { refreshToken: `${refreshToken}x` }],
      ['GET', `/api/me?token=${account.accessToken}&password=${encodeURIComponent(password)}`],
      ['POST', '/api/tokens', { name: 'ci' }],
      ['POST', '/api/endpoints', { name: 'hooks' }],
      ['GET', `/api/endpoints/${account.accessToken}`],
      ['GET', `/api/${account.accessToken}`],
      ['GET', `/in/${account.accessToken}`],
      ['GET', `//${account.accessToken}`],
    ];
    for (const [method, at, body] of calls) {
      const { json } = await account.call(method, at, body);
      for (const name of ['accessToken', 'refreshToken', 'token', 'public_token']) {
        if (typeof json?.[name] === 'string') secrets.push(json[name]);
      }
    }
    const endpoint = await account.createEndpoint();
    secrets.push(endpoint.public_token);
    for (const secret of ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', 'plain signing secret']) {
      secrets.push(secret);
      await account.addDestination(endpoint, `${target.url}/`, secret);
    }
    const bad = { url: 'https://user:destination-password@example.com/', secret: 'unused secret' };
    secrets.push('destination-password', bad.secret);
    await account.call('POST', `/api/endpoints/${endpoint.id}/destinations`, bad);
    secrets.push('captured-body-text', 'captured-header-text', 'captured-query-text');
    await capture(`${endpoint.capture_url}?q=captured-query-text`, 'captured-body-text', {
      headers: { authorization: 'Bearer captured-header-text' },
    });
    await target.received(4);
    const refreshed = await account.call('POST', '/api/auth/refresh', { refreshToken });
    secrets.push(refreshed.json.accessToken, refreshed.json.refreshToken);
    const metrics = await callApi(served, 'GET', '/metrics', undefined, {
      headers: { authorization: 'Bearer wrong-metrics-token' },
    });
    expect(metrics.status).toBe(401);
    await account.call('POST', '/api/auth/logout', {
      refreshToken: refreshed.json.refreshToken,
    });
    return secrets;
  }

  // One in a process: that output also has what its threads and packages print.
  test.each([
    ['json', serveIn],
    ['pretty', serveHere],
  ])(
    'has no password, token, secret or payload of a whole session as %s',
    async (format, serve) => {
      const key = 'the-secret-key-of-the-server-0123456789abcdef';
      const dataDir = tempDir();
      const served = await serve(
        dataDir,
        [...LAPTOP, '--log-format', format, '--retry-attempts', '2', '--retry-base', '10ms'],
        { HOOKRELAY_SECRET_KEY: key, HOOKRELAY_METRICS_TOKEN: 'the-metrics-token' },
      );
      const secrets = [key, 'the-metrics-token', 'wrong-metrics-token', ...(await session(served))];
      served.kill('SIGTERM');
      await served.exited();
      // The log exists and is about these requests.
      expect(served.stderr).toContain('/api/auth/login');
      expect(secrets.length).toBeGreaterThan(20);
      const output = served.stdout + served.stderr;
      for (const secret of secrets) expect(output.includes(secret), secret).toBe(false);
    },
  );

  test('has one JSON object per line, whatever is sent', async () => {
    const served = await serveHere(tempDir(), ['--log-format', 'json']);
    const account = await register(served);
    const name = 'a\u001b[2J\u2028\nb';
    expectStatus(400, await account.call('POST', '/api/endpoints', { name }));
    expectStatus(201, await account.call('POST', '/api/endpoints', { name: '\u202e"\\' }));
    await account.call('POST', '/api/endpoints', { name: 7 });
    served.kill('SIGTERM');
    await served.exited();
    const logged = served.stderr.trimEnd().split('\n');
    expect(logged.length).toBeGreaterThan(3);
    for (const line of logged) {
      expect(JSON.parse(line)).toMatchObject({
        time: expect.any(String),
        level: expect.any(String),
        msg: expect.any(String),
      });
    }
  });
});
