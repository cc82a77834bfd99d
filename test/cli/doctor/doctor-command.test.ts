import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ollamaFinding } from '../../../src/cli/doctor/reachability-findings.ts';
import { resolveConfig } from '../../../src/config/config.ts';
import { selfSigned } from '../../delivery/receivers.ts';
import { register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { until } from '../../fixtures/until.ts';
import { captureLoad, DataDir, serveChild, serveData } from '../local-server.ts';

failOnLeaks();

interface Finding {
  check: string;
  status: string;
  message: string;
  next?: string;
}

/** Runs doctor without Ollama, and checks that its words and its exit code agree. */
async function examine(
  data: DataDir,
  ...flags: string[]
): Promise<{ ok: boolean; of: (check: string) => Finding | undefined; failed: string[] }> {
  const outcome = await data.run(['doctor', '--json', '--ai', 'off', ...flags]);
  const { ok, findings } = outcome.json as { ok: boolean; findings: Finding[] };
  const failed = findings.filter(({ status }) => status === 'fail').map(({ check }) => check);
  expect(ok).toBe(failed.length === 0);
  expect(outcome.code).toBe(ok ? 0 : 1);
  expect(outcome.stderr).toBe(
    ok ? '' : `hookrelay: ${failed.length} ${failed.length === 1 ? 'check' : 'checks'} failed\n`,
  );
  for (const { status, next } of findings) {
    if (status === 'fail') expect(next).toBeTruthy();
  }
  return { ok, failed, of: (check) => findings.find((finding) => finding.check === check) };
}

/** The data directory of a server that was stopped properly. */
async function servedData(): Promise<DataDir> {
  const data = new DataDir();
  await data.fill(async (world) => {
    await world.events(await world.endpoint(), [{ body: 'one' }, { body: 'two' }]);
    await world.indexed();
  });
  return data;
}

describe('on a directory that no server uses', () => {
  test('the disabled fast path is reported', async () => {
    const data = await servedData();
    expect((await examine(data)).of('fast path')).toBeUndefined();
    const off = {
      status: 'warn',
      message: expect.stringMatching(/^off: Node reads every request/),
    };
    expect((await examine(data, '--no-fast-path')).of('fast path')).toMatchObject(off);
    expect((await examine(data, '--no-fast-path', 'true')).of('fast path')).toMatchObject(off);
    expect((await examine(data, '--no-fast-path', 'false')).of('fast path')).toBeUndefined();
  });

  test('a healthy directory passes, and nothing in it changes', async () => {
    const data = await servedData();
    const before = data.snapshot();
    for (const flags of [[], ['--full']]) {
      const report = await examine(data, ...flags);
      expect(report).toMatchObject({ ok: true, failed: [] });
      expect(report.of('integrity')?.message).toContain(flags.length ? 'complete' : 'quick');
      expect(report.of('database')?.message).toContain('2 events');
      expect(report.of('search index')).toMatchObject({ status: 'ok' });
      expect(report.of('secret')).toMatchObject({ status: 'ok' });
    }
    expect(data.snapshot()).toEqual(before);
    const shown = await data.run(['doctor', '--ai', 'off']);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(/^ok {4}versions {9}hookrelay \d.*, Node \d.*, SQLite 3\..*\n/);
  });

  test('the log left by a crash is reported and stays', async () => {
    const data = new DataDir();
    const server = await serveChild(data);
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    const load = await captureLoad(endpoint.capture_url);
    await load.stop();
    // An earlier kill leaves an empty index with a journal, which SQLite removes.
    await until('the index is committed', async () => {
      const { text } = await account.call('GET', '/metrics');
      return /^hookrelay_search_index_lag_events 0$/m.test(text);
    });
    await server.kill();
    const before = data.snapshot();
    const report = await examine(data);
    expect(report.ok).toBe(true);
    expect(report.of('data lock')?.message).toBe('no process uses the data');
    expect(report.of('write-ahead log')?.message).toContain('left by a killed server');
    expect(report.of('database')?.message).toContain(`${load.acknowledged.length} event`);
    const after = data.snapshot();
    for (const name of ['hookrelay.db', 'hookrelay.db-wal', 'holder.json', 'secret.key']) {
      expect(after.get(name) === before.get(name), name).toBe(true);
    }
    expect([...after.keys()]).toEqual([...before.keys()]);
  });

  test('a missing directory is not created', async () => {
    const data = new DataDir();
    expect((await examine(data)).failed).toEqual(['data directory']);
    expect(existsSync(data.path)).toBe(false);
    mkdirSync(data.path, { mode: 0o700 });
    const empty = await examine(data);
    expect(empty.ok).toBe(true);
    expect(empty.of('database')).toMatchObject({ status: 'warn', message: 'there is none yet' });
    expect([...data.snapshot().keys()]).toEqual([]);
  });

  test('each fault is found, with what to do about it', async () => {
    const cases: [string, (data: DataDir) => void, string[], string][] = [
      ['zero-byte', (data) => truncateSync(data.database), ['database'], 'is empty'],
      [
        'garbage',
        (data) => writeFileSync(data.database, 'x'.repeat(9000)),
        ['database'],
        'not a database',
      ],
      ['gone', (data) => rmSync(data.database), ['database'], 'the database is gone'],
      [
        'newer schema',
        (data) => edit(data, 'PRAGMA user_version = 9999'),
        ['database'],
        'schema 9999',
      ],
      [
        'foreign',
        (data) => edit(data, 'PRAGMA application_id = 7'),
        ['database'],
        'of another program',
      ],
      ['key missing', (data) => rmSync(join(data.path, 'secret.key')), ['secret'], 'there is no'],
      [
        'another key',
        (data) => writeFileSync(join(data.path, 'secret.key'), 'z'.repeat(44)),
        ['secret'],
        'is not the secret',
      ],
      [
        'half a key',
        (data) => writeFileSync(join(data.path, 'secret.key'), 'z'),
        ['secret'],
        'is not a secret',
      ],
    ];
    const made = await servedData();
    await Promise.all(
      cases.map(async ([name, damage, failed, text]) => {
        const data = copyOf(made);
        damage(data);
        const before = data.snapshot();
        const report = await examine(data);
        expect(report.failed, name).toEqual(failed);
        expect(report.of(failed[0] as string)?.message, name).toContain(text);
        expect(data.snapshot(), name).toEqual(before);
      }),
    );
  });

  test('the checks find damaged pages', async () => {
    const data = await servedData();
    const bytes = readFileSync(data.database);
    // All pages except the schema's own.
    bytes.fill(0xff, bytes.length - 16_384);
    writeFileSync(data.database, bytes);
    const report = await examine(data, '--full');
    expect(report.ok).toBe(false);
    expect(report.failed.every((check) => ['integrity', 'database'].includes(check))).toBe(true);
  });

  test('open permissions fail when others can reach the database, and warn otherwise', async () => {
    const data = await servedData();
    chmodSync(data.database, 0o644);
    expect((await examine(data)).of('permissions')).toMatchObject({
      status: 'warn',
      next: `chmod 600 ${data.database}`,
    });
    chmodSync(data.path, 0o755);
    const report = await examine(data);
    expect(report.failed).toEqual(['permissions']);
    expect(report.of('permissions')?.next).toBe(
      `chmod 700 ${data.path} && chmod 600 ${data.database}`,
    );
  });
});

describe('beside a server', () => {
  test('there is no warning for a certificate of the public name', async () => {
    const data = new DataDir();
    const { certFile } = selfSigned('hooks.example.com');
    const tls = ['--tls-cert', certFile, '--tls-key', certFile.replace(/cert\.pem$/, 'key.pem')];
    const server = await serveData(data, ...tls);
    const report = await examine(data);
    expect(report.of('server')).toMatchObject({
      status: 'ok',
      message: `https://127.0.0.1:${server.port} is up and ready`,
    });
    // Senders check the certificate.
    const outside = await examine(data, '--public-url', server.url);
    expect(outside.of('public URL')).toMatchObject({ status: 'warn' });
  });

  test('the server is asked whether it is ready, and goes on', async () => {
    const data = new DataDir();
    const server = await serveData(data);
    const endpoint = await (await register(server)).createEndpoint();
    const load = await captureLoad(endpoint.capture_url);
    const flags = ['--public-url', server.url];
    const report = await examine(data, ...flags);
    expect(report).toMatchObject({ ok: true, failed: [] });
    expect(report.of('data lock')?.message).toContain(`process ${server.pid}`);
    expect(report.of('server')?.message).toBe(`${server.url} is up and ready`);
    expect(report.of('public URL')).toMatchObject({ status: 'ok' });
    await load.goesOn(10);
    await load.stop();

    const elsewhere = await examine(data, '--port', '1', '--public-url', 'http://127.0.0.1:1');
    expect(elsewhere.ok).toBe(true);
    // The server's own statement counts.
    expect(elsewhere.of('server')).toMatchObject({ status: 'ok' });
    expect(elsewhere.of('public URL')).toMatchObject({ status: 'warn' });

    // Without a recorded address it is asked at the address of the flags.
    writeFileSync(join(data.path, 'holder.json'), JSON.stringify({ pid: server.pid }));
    const there = await examine(data, '--port', String(server.port));
    expect(there.of('server')).toMatchObject({ status: 'ok' });
    const nowhere = await examine(data, '--port', '1');
    expect(nowhere.of('server')).toMatchObject({ status: 'warn' });
    const unknown = await examine(data, '--port', '0');
    expect(unknown.of('server')?.message).toBe('its port is unknown');
  });
});

describe('Ollama', () => {
  /**
   * The test asks the server itself: an answer has a second, and a process may take
   * as long to start.
   */
  const ask = (url: string, ai: 'auto' | 'ollama', ollamaModel = 'small:1b') =>
    ollamaFinding(resolveConfig({ ai, ollamaUrl: url, ollamaModel, dataDir: '/nowhere' }, {}));

  test('is asked for its models', async () => {
    const url = await answering({ models: [{ name: 'small:1b' }, { name: 'large:latest' }] });
    expect(await ask(url, 'auto')).toMatchObject({ status: 'ok' });
    expect(await ask(url, 'ollama', 'large')).toMatchObject({ status: 'ok' });
    const next = 'ollama pull other';
    expect(await ask(url, 'auto', 'other')).toMatchObject({ status: 'warn', next });
    expect(await ask(url, 'ollama', 'other')).toMatchObject({ status: 'fail', next });
  });

  test('is a fault only when it is needed', async () => {
    const nobody = 'http://127.0.0.1:1';
    const auto = await ask(nobody, 'auto');
    expect(auto).toMatchObject({ status: 'ok' });
    expect(auto.message).toContain('the builtin engine answers');
    expect(await ask(nobody, 'ollama')).toMatchObject({ status: 'fail' });
    const odd = await answering({ models: 'many' });
    expect(await ask(odd, 'auto')).toMatchObject({ status: 'warn' });
  });
});

function edit(data: DataDir, sql: string): void {
  const db = new Database(data.database);
  db.exec(sql);
  db.close();
}

function copyOf(data: DataDir): DataDir {
  const copy = new DataDir();
  mkdirSync(copy.path, { mode: 0o700 });
  for (const [name, bytes] of data.snapshot()) {
    writeFileSync(join(copy.path, name), Buffer.from(bytes, 'latin1'), { mode: 0o600 });
  }
  return copy;
}

/** The URL of a server that always answers this. */
async function answering(body: object): Promise<string> {
  const server = http.createServer((_req, res) => {
    res.setHeader('connection', 'close').end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
