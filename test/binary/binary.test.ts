import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { capture } from '../fixtures/account.ts';
import { httpReceiver, type Received } from '../fixtures/receiver.ts';
import { until } from '../fixtures/until.ts';
import { LoneBinary, Running } from './lone-binary.ts';

/* The file that people download: alone in a directory, with an empty environment. */

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };

/** The target is 0.5 s on an idle machine; this limit only finds real faults. */
const START_BOUND_MS = 5000;
const STARTS = 7;
/** Node alone is 150 MB. A larger file contains something that shouldn't be there. */
const SIZE_BOUND_BYTES = 180e6;

let binary: LoneBinary;
beforeAll(() => {
  binary = new LoneBinary();
});
afterAll(() => binary?.remove());

function serve(dataDir: string, env: Record<string, string> = {}): Running {
  const flags = ['--port', '0', '--data-dir', dataDir, '--allow-private-destinations'];
  const server = new Running(binary.spawn(['serve', '--json', ...flags], env));
  onTestFinished(async () => {
    await server.end('SIGKILL');
  });
  return server;
}

test('--version prints the version', async () => {
  expect(await binary.run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('wrong usage exits with 2', async () => {
  const { code, stderr } = await binary.run(['evnts']);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('events') });
});

test('serve, register, capture, deliver, search, tail, backup, doctor, restore', async () => {
  const dataDir = join(binary.folder, 'data');
  const server = serve(dataDir);
  const { url } = await server.printed('"ready"');
  const target = await httpReceiver();

  const register = ['register', '--url', url, '--email', 'ada@example.com', '--password-stdin'];
  expect(await binary.run(register, { stdin: 'correct horse battery\n' })).toMatchObject({
    code: 0,
  });
  const endpoint = await binary.json(['endpoints', 'create', 'orders']);
  await binary.json(['destinations', 'add', 'orders', target.url, '--generate-secret']);

  const tail = new Running(binary.spawn(['tail', 'orders', '--attempts', '--json']));
  onTestFinished(async () => {
    await tail.end('SIGKILL');
  });
  await tail.printed('"ready"');

  const body = Buffer.from('{"order": 12345678901234567890, "to": "grace@example.com"}');
  const id = await capture(`${endpoint.capture_url}/new?q=1`, body, {
    headers: { 'content-type': 'application/json' },
  });
  const [received] = (await target.received(1)) as [Received];
  expect(received).toMatchObject({ method: 'POST', target: '/new?q=1' });
  expect(received.body.equals(body)).toBe(true);
  expect(received.headers['webhook-signature']).toMatch(/^v1,/);

  expect(await tail.printed('"type":"event"')).toMatchObject({ type: 'event' });
  expect(await tail.printed('"type":"attempt"')).toMatchObject({ type: 'attempt' });
  expect(tail.stdout).toContain(id);
  expect(await tail.end('SIGINT')).toBe(0);

  // The reader's thread searches the index that the indexer's thread fills.
  const found = await binary.json(['events', 'search', 'orders', 'grace@example.com']);
  expect(found.data.map((event: { id: string }) => event.id)).toEqual([id]);
  await until('it is delivered', async () => {
    return (await binary.json(['events', 'get', id])).status === 'delivered';
  });
  const raw = await binary.run(['events', 'raw', id]);
  expect(raw.stdout).toBe(body.toString());

  // prom-client asks Node for this in a `try`: if packing lost it, it would
  // silently be 0.
  await until('the event loop is looked at', async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    return Number(/^nodejs_eventloop_lag_mean_seconds (.+)$/m.exec(metrics)?.[1]) > 0;
  });

  const backup = join(binary.folder, 'backup.db');
  expect(await binary.run(['backup', backup, '--data-dir', dataDir])).toMatchObject({ code: 0 });
  const doctor = await binary.run(['doctor', '--data-dir', dataDir, '--json']);
  expect({ code: doctor.code, stderr: doctor.stderr }).toEqual({ code: 0, stderr: '' });
  expect(await server.end('SIGTERM')).toBe(0);

  const restored = join(binary.folder, 'restored');
  expect(await binary.run(['restore', backup, '--data-dir', restored])).toMatchObject({ code: 0 });
  const users = await binary.json(['users', 'list', '--data-dir', restored]);
  expect(JSON.stringify(users)).toContain('ada@example.com');
});

describe('a home directory that cannot be written', () => {
  test('is no obstacle: addons are loaded from a temporary directory', async () => {
    const file = join(binary.folder, 'not-a-directory');
    writeFileSync(file, '');
    const server = serve(join(binary.folder, 'homeless'), {
      HOME: join(file, 'home'),
      TMPDIR: binary.folder,
    });
    const { url } = await server.printed('"ready"');
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await server.end('SIGTERM')).toBe(0);
  });
});

test('two first starts at once both work', async () => {
  const env = { XDG_CACHE_HOME: join(binary.folder, 'fresh-cache') };
  const servers = ['one', 'two', 'three'].map((name) => serve(join(binary.folder, name), env));
  await Promise.all(servers.map((server) => server.printed('"ready"')));
  expect(await Promise.all(servers.map((server) => server.end('SIGTERM')))).toEqual([0, 0, 0]);
});

test('the file’s size and the time from start to ready are within bounds', async () => {
  const startsMs: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const server = serve(join(binary.folder, 'starts'));
    await server.printed('"ready"');
    startsMs.push(server.firstOutputMs as number);
    await server.end('SIGTERM');
  }
  startsMs.sort((a, b) => a - b);
  const [least, median, most] = [0, STARTS >> 1, STARTS - 1].map((i) => startsMs[i] as number);
  process.stdout.write(
    `binary: ${(binary.bytes / 1e6).toFixed(1)} MB, start to ready ${median?.toFixed(0)} ms ` +
      `(median of ${STARTS}, ${least?.toFixed(0)} to ${most?.toFixed(0)}; aimed at: 500 ms)\n`,
  );
  expect(median).toBeLessThan(START_BOUND_MS);
  expect(binary.bytes).toBeLessThan(SIZE_BOUND_BYTES);
});
