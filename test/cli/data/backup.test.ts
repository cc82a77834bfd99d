import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { partialOf } from '../../../src/core/runtime/partial-file.ts';
import { callApi, capture, expectStatus, register } from '../../fixtures/account.ts';
import { openStream } from '../../fixtures/event-stream.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { until } from '../../fixtures/until.ts';
import { hookrelay, hookrelayProcess } from '../command-line.ts';
import {
  captureLoad,
  DataDir,
  eventIds,
  filesLike,
  integrity,
  query,
  serveChild,
  serveData,
} from '../local-server.ts';
import { smallData } from './small-data.ts';

failOnLeaks();

describe('backup', () => {
  test('is sound under load and holds everything acknowledged before it began', async () => {
    // In this process, the load would stand still while the command works.
    const data = new DataDir('data', hookrelayProcess);
    const server = await serveChild(data);
    const endpoint = await (await register(server)).createEndpoint();
    const load = await captureLoad(endpoint.capture_url);
    await load.goesOn(200);

    const before = [...load.acknowledged];
    const file = join(data.home, 'copy.db');
    const summary = await data.json('backup', file);
    const acknowledgedMeanwhile = load.acknowledged.length - before.length;
    await load.goesOn(10);
    await load.stop();

    expect(acknowledgedMeanwhile).toBeGreaterThan(0);
    expect(summary).toMatchObject({ file, bytes: statSync(file).size, keys_file: null });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(filesLike(data.home, 'copy.db')).toEqual(['copy.db']);
    const stored = new Set(query(file, eventIds));
    expect(query(file, integrity)).toBe('ok');
    expect(stored.size).toBe(summary.events);
    expect(before.filter((id) => !stored.has(id))).toEqual([]);
  });

  test('leaves an existing file, and does not write to the data directory', async () => {
    const data = await smallData();
    const file = join(data.home, 'copy.db');
    writeFileSync(file, 'precious');
    const refused = await data.run(['backup', file]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('--force');
    expect(readFileSync(file, 'utf8')).toBe('precious');
    expect((await data.json('backup', file, '--force')).events).toBe(3);

    const own = await data.run(['backup', data.database, '--force']);
    expect(own.code).toBe(1);
    expect(own.stderr).toContain('a file of the data directory itself');
    const nowhere = await data.run(['backup', join(data.home, 'no', 'copy.db')]);
    expect(nowhere.code).toBe(1);
    expect(nowhere.stderr).toContain(`mkdir -p ${join(data.home, 'no')}`);
    expect(query(data.database, eventIds)).toHaveLength(3);
  });

  test('that fails keeps the key that opens an earlier one', async () => {
    const data = await smallData();
    const file = join(data.home, 'copy.db');
    writeFileSync(`${file}.key`, 'the former one\n');
    // A file can't replace a directory of that name.
    mkdirSync(file);
    const failed = await data.run(['backup', file, '--force', '--with-keys']);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(readFileSync(`${file}.key`, 'utf8')).toBe('the former one\n');
    rmSync(file, { recursive: true });
    await data.json('backup', file, '--force', '--with-keys');
    const secret = readFileSync(join(data.path, 'secret.key'), 'utf8');
    expect(readFileSync(`${file}.key`, 'utf8').trim()).toBe(secret.trim());
    const nowhere = join(data.home, 'no', 'copy.db');
    const lost = await data.run(['backup', nowhere, '--with-keys']);
    expect(lost).toMatchObject({ code: 1, stdout: '' });
    expect(lost.stderr).toMatch(/^hookrelay: cannot write .*copy\.db\.key: ENOENT.*\n {2}hint: /);
  });

  test('and restore clear up after killed ones', async () => {
    const data = await smallData();
    const file = join(data.home, 'copy.db');
    const { pid } = spawnSync('true');
    const killed = (name: string) => {
      const partial = partialOf(name).replace(`-${process.pid}-`, `-${pid}-`);
      writeFileSync(partial, 'half');
      return partial;
    };
    const half = killed(join(data.home, 'monday.db'));
    await data.json('backup', file);
    expect(existsSync(half)).toBe(false);
    const other = await smallData();
    const halfOfIt = killed(other.database);
    expect(await other.json('restore', file)).toMatchObject({ events: 3 });
    expect(existsSync(halfOfIt)).toBe(false);
  });

  test('includes keys only on request, and only the right ones', async () => {
    const data = await smallData();
    const file = join(data.home, 'copy.db');
    const secret = readFileSync(join(data.path, 'secret.key'), 'utf8');
    const made = await data.run(['backup', file, '--with-keys', '--json']);
    expect(made.json.keys_file).toBe(`${file}.key`);
    expect(made.stdout + made.stderr).not.toContain(secret.trim());
    expect(readFileSync(`${file}.key`, 'utf8')).toBe(secret);
    expect(statSync(`${file}.key`).mode & 0o777).toBe(0o600);

    const env = { HOOKRELAY_SECRET_KEY: 'f'.repeat(64) };
    const other = await data.run(['backup', `${file}2`, '--with-keys'], undefined, env);
    expect(other.code).toBe(1);
    expect(other.stderr).toContain('this secret does not belong to the database');
    rmSync(join(data.path, 'secret.key'));
    const none = await data.run(['backup', `${file}2`, '--with-keys']);
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toContain('HOOKRELAY_SECRET_KEY');
    expect(filesLike(data.home, 'copy.db2')).toEqual([]);
  });
});

describe('restore', () => {
  test('that fails removes the directories that it made', async () => {
    const data = new DataDir();
    const file = join(data.home, 'copy.db');
    writeFileSync(file, 'no backup');
    const fresh = join(data.home, 'new', 'data');
    const args = ['restore', file, '--data-dir'];
    const failed = await hookrelay({ home: data.home }, [...args, fresh]);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('nothing was changed');
    expect(existsSync(join(data.home, 'new'))).toBe(false);
    // An existing directory stays, with its content.
    mkdirSync(data.path);
    writeFileSync(join(data.path, 'notes.txt'), 'mine');
    await hookrelay({ home: data.home }, [...args, data.path]);
    expect(readFileSync(join(data.path, 'notes.txt'), 'utf8')).toBe('mine');
  });

  test('into an empty directory, with its keys, gives a server that runs, and streams start over', async () => {
    const data = new DataDir();
    const receiver = await httpReceiver();
    const server = await serveData(data, '--allow-private-destinations');
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    await account.addDestination(endpoint, receiver.url, 'a signing secret');
    const eventId = await capture(endpoint.capture_url, 'needle in a haystack');
    await receiver.received(1);
    const stream = await openStream(server, '/api/stream', account.authorization);
    const cursor = stream.lastId;
    stream.close();
    const file = join(data.home, 'copy.db');
    await data.json('backup', file, '--with-keys');
    await server.stop();

    const copy = new DataDir();
    expect(await copy.json('restore', file)).toMatchObject({
      events: 1,
      kept: null,
      secret: 'restored',
    });
    expect(statSync(join(copy.path, 'secret.key')).mode & 0o777).toBe(0o600);
    const restored = await serveData(copy, '--allow-private-destinations');
    const me = (authorization: string) =>
      callApi(restored, 'GET', '/api/me', undefined, { headers: { authorization } });
    expect((await me(account.authorization)).status).toBe(401);
    const { email, password } = account;
    const login = await callApi(restored, 'POST', '/api/auth/login', { email, password });
    const authorization = `Bearer ${expectStatus(200, login).accessToken}`;
    const headers = { authorization };
    const call = (method: string, path: string) =>
      callApi(restored, method, `/api/endpoints/${endpoint.id}${path}`, undefined, { headers });

    const resumed = await openStream(restored, '/api/stream', authorization, cursor);
    expect(resumed.frames[0]?.event).toBe('reset');
    resumed.close();
    const { data: found } = expectStatus(200, await call('GET', '/events?q=needle'));
    expect(found).toMatchObject([{ id: eventId }]);
    expectStatus(202, await call('POST', `/events/${eventId}/replay`));
    const replayed = await until('the replay arrives', () =>
      receiver.requests.find((request) => request.headers['x-hookrelay-trigger'] === 'replay'),
    );
    expect(replayed.body.toString()).toBe('needle in a haystack');
    expect(replayed.headers['webhook-signature']).toMatch(/^v1,/);
    await restored.stop();
  });

  test('into a used directory keeps the earlier data with its key', async () => {
    const source = await smallData();
    const file = join(source.home, 'copy.db');
    await source.json('backup', file, '--with-keys');

    const used = new DataDir();
    const server = await serveChild(used);
    const endpoint = await (await register(server)).createEndpoint();
    const kept = [await capture(endpoint.capture_url), await capture(endpoint.capture_url)];
    const refused = await used.run(['restore', file]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`process ${server.pid}`);
    // The server was killed: its last acknowledged events are in the log beside its
    // database.
    await server.kill();
    const oldSecret = readFileSync(join(used.path, 'secret.key'));
    const oldGeneration = query(file, generation);

    const restored = await used.json('restore', file);
    expect(restored).toMatchObject({ events: 3, secret: 'restored' });
    expect(restored.kept).toMatch(/before-restore-/);
    expect(filesLike(used.path, 'hookrelay.db')).toEqual(['hookrelay.db']);
    expect(query(join(restored.kept, 'hookrelay.db'), eventIds)).toEqual(kept);
    expect(readFileSync(join(restored.kept, 'secret.key'))).toEqual(oldSecret);
    expect(query(used.database, eventIds)).toEqual(query(source.database, eventIds));
    expect(query(used.database, integrity)).toBe('ok');
    expect(query(used.database, generation)).not.toBe(oldGeneration);
    expect(query(file, generation)).toBe(oldGeneration);

    // And back: the directory kept is a backup too.
    const again = await used.json('restore', join(restored.kept, 'hookrelay.db'));
    expect(again).toMatchObject({ events: 2, secret: 'differs' });
    expect(again.kept).not.toBe(restored.kept);
    const warned = await used.run(['serve', '--port', '0']);
    expect(warned.code).toBe(1);
    expect(warned.stderr).toContain('this secret is not the one');
  });

  test('of anything but a sound backup of this hookrelay changes nothing', async () => {
    const data = await smallData();
    const good = join(data.home, 'good.db');
    await data.json('backup', good);
    const make = (name: string, change: (file: string) => void): [string, string] => {
      const file = join(data.home, name);
      copyFileSync(good, file);
      change(file);
      return [name, file];
    };
    const sql = (statement: string) => (file: string) => {
      const db = new Database(file);
      db.exec(statement);
      db.close();
    };
    const cases: [string, string, string][] = [
      [...make('empty', (file) => truncateSync(file)), 'is empty'],
      [...make('garbage', (file) => writeFileSync(file, 'garbage'.repeat(999))), 'not a SQLite'],
      [...make('short', (file) => truncateSync(file, 20_480)), 'not a sound backup'],
      [...make('broken', breakPages), 'not a sound backup'],
      [...make('foreign', sql('PRAGMA application_id = 7')), 'is not a hookrelay backup'],
      [...make('newer', sql('PRAGMA user_version = 9999')), 'schema 9999'],
      ['missing', join(data.home, 'missing'), 'there is no file'],
      ['itself', data.database, 'is the database itself'],
    ];
    const before = data.snapshot();
    for (const [name, file, text] of cases) {
      const outcome = await data.run(['restore', file]);
      expect(outcome, name).toMatchObject({ code: 1, stdout: '' });
      expect(outcome.stderr, name).toContain(text);
      expect(outcome.stderr, name).not.toContain('unexpected error');
    }
    expect(data.snapshot()).toEqual(before);
  });

  test("leaves the directory's other files alone", async () => {
    const data = await smallData();
    const file = join(data.home, 'copy.db');
    await data.json('backup', file);
    const broken = new DataDir();
    mkdirSync(broken.path);
    writeFileSync(broken.database, '');
    const restored = await broken.json('restore', file);
    expect(restored).toMatchObject({ events: 3, secret: 'missing' });
    expect(statSync(join(restored.kept, 'hookrelay.db')).size).toBe(0);
    expect(query(broken.database, integrity)).toBe('ok');
  });
});

const generation = (db: Database.Database): unknown =>
  db.prepare("SELECT value FROM meta WHERE name = 'generation'").pluck().get();

/** Overwrites pages in the middle. SQLite's header stays. */
function breakPages(file: string): void {
  const bytes = readFileSync(file);
  bytes.fill(0xff, 8192, 65_536);
  writeFileSync(file, bytes);
}
