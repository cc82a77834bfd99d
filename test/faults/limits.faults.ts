import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, inject, test } from 'vitest';
import { callApi, capture, register } from '../fixtures/account.ts';
import { request } from '../fixtures/http-request.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { residentMib } from '../fixtures/resident.ts';
import { tempDir } from '../fixtures/running-server.ts';
import { type ServedProcess, serveIn } from '../fixtures/served-process.ts';
import { until } from '../fixtures/until.ts';
import { report } from './report.ts';

const { connectionsOpened, pendingDeliveries } = inject('scale');
/** Time promised for any number of due deliveries, ms. */
const READY_WITHIN_MS = 2000;
const LAPTOP = ['--allow-private-destinations', '--log-format', 'json'];

test('very many deliveries due at the start: ready at once, memory bounded', async () => {
  const dataDir = tempDir();
  const first = await serveIn(dataDir, LAPTOP);
  const account = await register(first);
  const endpoint = await account.createEndpoint();
  const target = await httpReceiver((_request, res) => {
    target.requests.length = 0;
    res.end('ok');
  });
  await account.addDestination(endpoint, target.url);
  await capture(`${first.url}/in/${endpoint.public_token}`, '{"n": 0}');
  await until('it is delivered', async () => {
    return (await account.list(endpoint, '?status=delivered')).total === 1;
  });
  first.kill('SIGTERM');
  await first.exited();
  multiply(join(dataDir, 'hookrelay.db'), pendingDeliveries);

  // Measured before, not while the other server drains: each has the machine to
  // itself.
  const empty = await start(tempDir());
  empty.served.kill('SIGTERM');
  await empty.served.exited();
  const { served, readyMs } = await start(dataDir);
  const begun = performance.now();
  const pendingOf = async () => {
    const { text } = await callApi(served, 'GET', '/metrics');
    return Number(/^hookrelay_deliveries_pending (\d+)$/m.exec(text)?.[1]);
  };
  await capture(`${served.url}/in/${endpoint.public_token}`, '{"n": 1}');
  const enough = Math.min(5000, pendingDeliveries / 2);
  await until(
    'it is being worked off',
    async () => (await pendingOf()) < pendingDeliveries - enough,
    60_000,
  );
  const left = await pendingOf();
  const { peak } = residentMib(served);
  report('deliveries due at start', {
    pending: pendingDeliveries,
    ready_ms: Math.round(readyMs),
    ready_of_an_empty_directory_ms: Math.round(empty.readyMs),
    delivered_per_s: Math.round(((pendingDeliveries - left) * 1000) / (performance.now() - begun)),
    rss_peak_mib: peak,
  });
  expect(peak).toBeLessThan(500);
  // A busy machine takes longer to start an empty server, too.
  expect(readyMs).toBeLessThan(Math.max(READY_WITHIN_MS, 3 * empty.readyMs));
});

/** Time from the start of the process until it is ready to store. */
async function start(dataDir: string): Promise<{ served: ServedProcess; readyMs: number }> {
  const started = performance.now();
  const served = await serveIn(dataDir, LAPTOP);
  expect((await callApi(served, 'GET', '/readyz')).status).toBe(200);
  return { served, readyMs: performance.now() - started };
}

/** Copies the event and its due delivery this many times. */
function multiply(file: string, count: number): void {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = OFF');
  const numbers = 'WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i <= ?)';
  const from = 'SELECT min(seq) FROM events';
  db.transaction(() => {
    db.prepare(`${numbers} INSERT INTO event_contents (seq, endpoint_key, query, headers, body)
      SELECT i + 1, endpoint_key, query, headers, body FROM n, event_contents WHERE seq = (${from})`).run(
      count,
    );
    db.prepare(`${numbers} INSERT INTO events (endpoint_key, seq, id, status, round, method, path,
        content_type, size, provider, event_type, source_ip, received_at, open)
      SELECT endpoint_key, i + 1, 'evt_' || printf('%026d', i), 0,
        round, method, path, content_type, size, provider, event_type, source_ip, received_at, 1
      FROM n, events WHERE seq = (${from})`).run(count);
    db.prepare(`${numbers} INSERT INTO open_deliveries (destination_key, event_seq, round, endpoint_key,
        id, trigger, attempts, probes, next_attempt_at)
      SELECT destination_key, i + 1, round, endpoint_key, 'dlv_' || printf('%026d', i), trigger, 0, 0,
      1000 + i
      FROM n, deliveries WHERE event_seq = (${from})`).run(count);
    db.prepare(`INSERT INTO event_counts (endpoint_key, status, count)
      SELECT endpoint_key, 0, ? FROM events WHERE seq = (${from})
      ON CONFLICT DO UPDATE SET count = count + excluded.count`).run(count);
  })();
  db.close();
}

test('a thousand idle connections, and floods of headers: others are served', async () => {
  const served = await serveIn(tempDir(), LAPTOP);
  const account = await register(served);
  const endpoint = await account.createEndpoint();
  const before = residentMib(served).now;
  const sockets: net.Socket[] = [];
  for (let i = 0; i < 1000; i++) {
    const socket = net.connect(served.port, '127.0.0.1');
    socket.on('error', () => {});
    sockets.push(socket);
    if (i % 100 === 99) await once(socket, 'connect');
  }
  const flood = `GET /healthz HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(5000)}`;
  const flooded = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const socket = net.connect(served.port, '127.0.0.1');
      let received = '';
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.write(flood);
      await once(socket, 'close');
      return received.slice(9, 12);
    }),
  );
  expect(new Set(flooded)).toEqual(new Set(['431']));
  const agent = new http.Agent({ keepAlive: true });
  const times: number[] = [];
  for (let i = 0; i < 200; i++) {
    const started = performance.now();
    const answer = await request(endpoint.capture_url, { method: 'POST', body: '{}', agent });
    expect(answer.status).toBe(200);
    times.push(performance.now() - started);
  }
  agent.destroy();
  expect(sockets.filter((socket) => socket.destroyed)).toEqual([]);
  // Alone, a capture takes a few milliseconds. A client that reads all idle or
  // refused connections takes seconds.
  expect(Math.max(...times)).toBeLessThan(1000);
  report('1,000 idle connections and 200 floods of headers', {
    capture_max_ms: Math.round(Math.max(...times)),
    rss_mib: { before, peak: residentMib(served).peak },
  });
  expect(residentMib(served).peak).toBeLessThan(before + 200);
  for (const socket of sockets) socket.destroy();
});

test('one address opens more connections than the server has: others are served', async () => {
  const most = Math.round(connectionsOpened / 1.05);
  const share = most / 4;
  const served = await serveIn(tempDir(), [...LAPTOP, '--max-connections', String(most)]);
  const account = await register(served);
  const endpoint = await account.createEndpoint();
  const sockets: net.Socket[] = [];
  for (let i = 0; i < connectionsOpened; i++) {
    const socket = net.connect({
      port: served.port,
      host: '127.0.0.1',
      localAddress: '127.0.0.2',
    });
    socket.on('error', () => {});
    // Every second connection is answered first, and kept.
    if (i % 2 === 0) socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    socket.resume();
    sockets.push(socket);
    if (i % 100 === 99) await once(socket, 'connect');
  }
  const times: number[] = [];
  for (let i = 0; i < 100; i++) {
    const started = performance.now();
    const answer = await request(endpoint.capture_url, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(200);
    times.push(performance.now() - started);
  }
  const open = () => sockets.filter((socket) => !socket.destroyed).length;
  await until('it has its share', () => open() <= share);
  report('more connections from one address than the server has', {
    opened: connectionsOpened,
    open: open(),
    capture_max_ms: Math.round(Math.max(...times)),
    rss_peak_mib: residentMib(served).peak,
  });
  expect(Math.max(...times)).toBeLessThan(1000);
  expect(served.stderr).toContain(`--max-connections-per-address ${share}`);
  for (const socket of sockets) socket.destroy();
});
