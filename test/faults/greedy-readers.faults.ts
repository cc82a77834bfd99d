import { expect, inject, test } from 'vitest';
import { type Account, capture, register } from '../fixtures/account.ts';
import { tempDir } from '../fixtures/running-server.ts';
import { type ServedProcess, serveIn } from '../fixtures/served-process.ts';
import { until } from '../fixtures/until.ts';
import { beside, judge, type Sender, timesOf } from './beside.ts';

/*
 * An account asks for what takes long to parse. Another account captures and lists at a
 * steady pace meanwhile. The control is the same run with the same bodies, downloaded as they
 * came.
 */

const { neighbourCaptures } = inject('scale');
const FLAGS = ['--log-format', 'json'];
const LARGE_BYTES = 24_000_000;
/** Requests of the account that wait for their answers, of each kind. */
const AT_ONCE = 1;

const ARRAYS = Buffer.from(`{"a":[${'[],'.repeat(LARGE_BYTES / 3)}[]]}`);
const LINES = Buffer.alloc(LARGE_BYTES, '{"text":"a line of many"}\n');
const DEEP = Buffer.from('['.repeat(LARGE_BYTES / 2) + ']'.repeat(LARGE_BYTES / 2));

/** What another account sees beside requests for some paths. */
async function measured(served: ServedProcess, greedy: Account, paths: readonly string[]) {
  const other = await register(served);
  const endpoint = await other.createEndpoint();
  const asking = { method: 'GET', headers: { authorization: greedy.authorization } };
  const senders: Sender[] = paths.map((path) => ({
    url: served.url + path,
    everyMs: 50,
    sent: { ...asking, mostWaiting: AT_ONCE },
  }));
  return beside(senders, async () => {
    const pace = { count: neighbourCaptures, everyMs: 40 };
    const listing = { method: 'GET', headers: { authorization: other.authorization } };
    const [captures, lists] = await Promise.all([
      timesOf(endpoint.capture_url, pace, {}),
      timesOf(`${served.url}/api/endpoints/${endpoint.id}/events?view=summary`, pace, listing),
    ]);
    return { captures, lists };
  });
}

async function greedyAccount(served: ServedProcess, bodies: readonly Buffer[]) {
  const greedy = await register(served);
  const endpoint = await greedy.createEndpoint();
  const base = `/api/endpoints/${endpoint.id}/events`;
  const events: string[] = [];
  for (const body of bodies) {
    events.push(`${base}/${await capture(endpoint.capture_url, body)}`);
  }
  await until('all is indexed', async () => {
    const { text } = await greedy.call('GET', '/metrics');
    return /^hookrelay_search_index_lag_events 0$/m.test(text);
  });
  return { greedy, base, events };
}

test('searches by rule in bodies of eight million values', async () => {
  const served = await serveIn(tempDir(), FLAGS);
  const { greedy, base, events } = await greedyAccount(served, [ARRAYS, ARRAYS, ARRAYS]);
  const raw = events.map((event) => `${event}/raw`);
  await judge(async (isAttack) => {
    const paths = isAttack ? [`${base}?where=body.a%5B*%5D.b%3D1`] : raw;
    const { captures, lists } = await measured(served, greedy, paths);
    return { 'captures beside searches': captures, 'lists beside searches': lists };
  });
  const search = await greedy.call('GET', `${base}?where=body.a%5B*%5D.b%3D1`);
  expect([search.status, search.json.error.code]).toEqual([503, 'search_too_long']);
});

test('views of large bodies', async () => {
  const served = await serveIn(tempDir(), FLAGS);
  const { greedy, events } = await greedyAccount(served, [LINES, DEEP, ARRAYS]);
  const raw = events.map((event) => `${event}/raw`);
  await judge(async (isAttack) => {
    const { captures, lists } = await measured(served, greedy, isAttack ? events : raw);
    return { 'captures beside views': captures, 'lists beside views': lists };
  });
});
