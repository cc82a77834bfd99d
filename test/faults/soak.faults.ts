import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { expect, inject, test } from 'vitest';
import { callApi, register } from '../fixtures/account.ts';
import { random } from '../fixtures/crash-run.ts';
import { EventStream } from '../fixtures/event-stream.ts';
import { request } from '../fixtures/http-request.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { checkDatabase, tempDir } from '../fixtures/running-server.ts';
import { serveIn } from '../fixtures/served-process.ts';
import { until } from '../fixtures/until.ts';
import { report } from './report.ts';

const { soakMs } = inject('scale');
const SEED = 20_261_121;
const SAMPLE_EVERY_MS = Math.max(500, soakMs / 60);
/** Events older than this are deleted while others come in. */
const RETENTION_S = Math.max(5, Math.round(soakMs / 5000));
const SENDERS = 4;

/*
 * Everything at once for a while: captures, deliveries of which some fail, lists,
 * searches, a live reader that loses its connection now and then, and retention.
 * At the end nothing is lost, nothing came to the reader twice, and memory has
 * not grown from the middle of the run to its end.
 */
test('soak', async () => {
  const next = random(SEED);
  const dataDir = tempDir();
  const served = await serveIn(dataDir, [
    ...['--allow-private-destinations', '--log-format', 'json', '--retention', `${RETENTION_S}s`],
    ...['--retry-base', '200ms', '--retry-factor', '2', '--retry-max', '2s'],
    ...['--retry-attempts', '40', '--attempt-timeout', '2s'],
  ]);
  const account = await register(served);
  // Its access token would end with the fifteenth minute, or with the next change of the soak's length.
  const made = await account.call('POST', '/api/tokens', { name: 'soak' });
  const authorization = `Bearer ${made.json.token}`;
  const endpoint = await account.createEndpoint();
  /** Events that came whole and in the right bytes to each of the two destinations. */
  const came = { good: new Set<string>(), bad: new Set<string>() };
  const digests = new Map<string, string>();
  const wrong: string[] = [];
  let answered = 0;
  const target = await httpReceiver(({ target: at, headers, body }, res) => {
    target.requests.length = 0;
    answered++;
    const id = headers['webhook-id'] as string;
    const where = at.startsWith('/good') ? 'good' : 'bad';
    const draw = where === 'bad' ? next() : 1;
    if (draw < 0.1) return void res.socket?.destroy();
    if (draw < 0.3) return void res.writeHead(500).end('x'.repeat(2000));
    if (draw < 0.31) return;
    const wanted = digests.get(at.slice(at.lastIndexOf('/') + 1));
    if (createHash('sha1').update(body).digest('hex') !== wanted) wrong.push(id);
    came[where].add(id);
    res.end('ok');
  });
  await account.addDestination(
    endpoint,
    `${target.url}/good`,
    'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  );
  await account.addDestination(endpoint, `${target.url}/bad`);

  /** How often each event and each attempt came to the live reader. */
  const seen = new Map<string, number>();
  // Before anything is captured: a reader without a cursor starts now.
  const opening = new EventStream(`${served.url}/api/stream`, authorization);
  await opening.received('ready', 1);
  opening.close();
  let cursor = opening.lastId;

  const acknowledged = new Map<string, string>();
  const counts = { lists: 0, searches: 0, found: 0, views: 0, reconnects: 0 };
  const startedAt = performance.now();
  const isOn = () => performance.now() - startedAt < soakMs;
  const agent = new http.Agent({ keepAlive: true });
  const captures = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let i = 0; isOn(); i++) {
      const name = `s${sender}-${i}`;
      const body = Buffer.from(
        `{"name":"${name}","pad":"${'é'.repeat(Math.floor(next() ** 4 * 8000))}"}`,
      );
      digests.set(name, createHash('sha1').update(body).digest('hex'));
      const url = `${served.url}/in/${endpoint.public_token}/${name}`;
      const answer = await request(url, { method: 'POST', body, agent });
      expect(answer.status).toBe(200);
      acknowledged.set(answer.json.event_id, name);
      await new Promise((resolve) => setTimeout(resolve, 20 + 40 * next()));
    }
  });

  const live = (async () => {
    let last = false;
    while (!last) {
      last = !isOn();
      const stream = new EventStream(`${served.url}/api/stream`, authorization, cursor);
      await stream.received('ready', 1);
      const until_ = performance.now() + (last ? 5000 : 2000 + 6000 * next());
      await new Promise((resolve) => setTimeout(resolve, until_ - performance.now()));
      stream.close();
      for (const { event, data } of stream.frames) {
        if (event === 'event' || event === 'attempt')
          seen.set(data.id, (seen.get(data.id) ?? 0) + 1);
        expect(event).not.toBe('reset');
      }
      cursor = stream.lastId;
      counts.reconnects++;
    }
  })();

  const reads = (async () => {
    const get = (path: string) =>
      callApi(served, 'GET', path, undefined, { headers: { authorization } });
    while (isOn()) {
      const { json } = await get(`/api/endpoints/${endpoint.id}/events?limit=50`);
      counts.lists++;
      const item = json.data[Math.floor(next() * json.data.length)];
      if (item) {
        const view = await get(`/api/endpoints/${endpoint.id}/events/${item.id}`);
        counts.views++;
        const name = view.json?.body?.name;
        if (view.status === 200) {
          expect(name).toBe(acknowledged.get(item.id) ?? name);
          const found = await get(`/api/endpoints/${endpoint.id}/events?q=${name}%22`);
          counts.searches++;
          if (found.json.data.some(({ id }: { id: string }) => id === item.id)) counts.found++;
          else expect((await get(`/api/events/${item.id}`)).status).toBe(404);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();

  const rss: number[] = [];
  const sampling = (async () => {
    while (isOn()) {
      const status = readFileSync(`/proc/${served.pid}/status`, 'utf8');
      rss.push(Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024));
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_EVERY_MS));
    }
  })();

  await Promise.all([...captures, reads, sampling]);
  agent.destroy();
  await until(
    'all is delivered',
    async () => {
      const { text } = await callApi(served, 'GET', '/metrics');
      return /^hookrelay_deliveries_pending 0$/m.test(text);
    },
    90_000,
  );
  await live;
  // One more reader from where the last one stopped: what it had not taken in by then.
  const rest = new EventStream(`${served.url}/api/stream`, authorization, cursor);
  await rest.received('ready', 1);
  await new Promise((resolve) => setTimeout(resolve, 2000));
  rest.close();
  for (const { event, data } of rest.frames) {
    if (event === 'event' || event === 'attempt') seen.set(data.id, (seen.get(data.id) ?? 0) + 1);
  }
  const left = (
    await account.call('GET', `/api/endpoints/${endpoint.id}/events?limit=1`, undefined, {
      headers: { authorization },
    })
  ).json.total;
  served.kill('SIGTERM');
  expect(await served.exited(20_000)).toEqual({ code: 0, signal: null });
  checkDatabase(dataDir);

  const ids = [...acknowledged.keys()];
  const lost = {
    to_good: ids.filter((id) => !came.good.has(id)).length,
    to_bad: ids.filter((id) => !came.bad.has(id)).length,
    in_stream: ids.filter((id) => !seen.has(id)).length,
  };
  const doubled = [...seen.values()].filter((times) => times > 1).length;
  const mean = (values: number[]) => Math.round(values.reduce((a, b) => a + b, 0) / values.length);
  const half = mean(rss.slice(rss.length / 2, (rss.length * 3) / 4));
  const end = mean(rss.slice((rss.length * 3) / 4));
  report('soak', {
    seconds: Math.round(soakMs / 1000),
    captured: ids.length,
    deliveries_answered: answered,
    ...counts,
    retired: ids.length - left,
    lost,
    doubled_in_stream: doubled,
    wrong_bytes: wrong.length,
    rss_mib: { third_quarter: half, last_quarter: end, peak: Math.max(...rss) },
  });
  expect({ lost, doubled, wrong }).toEqual({
    lost: { to_good: 0, to_bad: 0, in_stream: 0 },
    doubled: 0,
    wrong: [],
  });
  expect(counts.found).toBeGreaterThan(0);
  // Retention looks once a minute.
  if (soakMs > 4 * 60_000) expect(ids.length - left).toBeGreaterThan(0);
  expect(end).toBeLessThan(half * 1.15 + 10);
});
