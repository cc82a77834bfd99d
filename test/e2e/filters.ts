import { expect } from 'vitest';
import { capture, expectStatus, register } from '../fixtures/account.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { until } from '../fixtures/until.ts';

const ROUNDS = 10;
const OF_A_ROUND = 20;
/** Judged on the thread that receives, and in the thread for large bodies. */
const PADDINGS = ['', 'x'.repeat(100_000)];

interface Reachable {
  url: string;
}

/**
 * Changes a destination's filter between captures that are sent at once. The destination
 * gets exactly what the filter says that was answered last.
 *
 * @param captures takes the requests
 * @param changes answers the PATCH
 */
export async function changeFilterBetweenCaptures(
  captures: Reachable,
  changes: Reachable,
): Promise<void> {
  const receiver = await httpReceiver();
  const account = await register(changes);
  const endpoint = await account.createEndpoint();
  const { id } = await account.addDestination(endpoint, `${receiver.url}/`);
  const path = `/api/endpoints/${endpoint.id}/destinations/${id}`;
  const url = `${captures.url}/in/${endpoint.public_token}`;
  const wanted: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const filter =
      round % 2 === 0
        ? `body.round=${round}`
        : { body: { round: { $gte: round, $lt: round + 1 } } };
    const changed = expectStatus(200, await account.call('PATCH', path, { filter }));
    expect(changed.filter).toEqual(filter);
    const rounds = Array.from({ length: OF_A_ROUND }, (_, i) => (i % 2 === 0 ? round : round - 1));
    const ids = await Promise.all(
      rounds.map((number, i) =>
        capture(url, JSON.stringify({ round: number, padding: PADDINGS[(i >> 1) % 2] })),
      ),
    );
    wanted.push(...ids.filter((_, i) => rounds[i] === round));
  }
  await receiver.received(wanted.length);
  await until('nothing is open', async () => {
    const { total } = await account.list(endpoint, '?status=delivered&limit=1');
    return total === wanted.length;
  });
  const got = receiver.requests.map(({ headers }) => headers['webhook-id'] as string);
  expect(got.toSorted()).toEqual(wanted.toSorted());

  // Without a filter, everything comes again. A replay leaves out what was dropped.
  const [dropped] = (await account.list(endpoint, '?status=received&limit=1')).data;
  const event = await account.event(endpoint, dropped.id);
  expect(event.deliveries).toMatchObject([{ destination_id: id, state: 'filtered', attempts: 0 }]);
  expectStatus(200, await account.call('PATCH', path, { filter: null }));
  const last = await capture(url, '{"round":-1}');
  await receiver.received(wanted.length + 1);
  expect(receiver.requests.at(-1)?.headers['webhook-id']).toBe(last);
}

/** Sends amounts as text to a destination whose filter compares them with a number. */
export async function compareAmounts(server: Reachable): Promise<void> {
  const receiver = await httpReceiver();
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const { id } = await account.addDestination(endpoint, `${receiver.url}/`);
  const path = `/api/endpoints/${endpoint.id}/destinations/${id}`;
  const filter = 'body.total_price>100 and body.currency=EUR';
  expectStatus(200, await account.call('PATCH', path, { filter }));
  const send = (total_price: unknown, currency = 'EUR') =>
    capture(endpoint.capture_url, JSON.stringify({ total_price, currency }));
  const wanted = [await send('500.00'), await send(500)];
  for (const unfit of ['50.00', null, undefined]) await send(unfit);
  // The currency drops this one.
  await send('abc', 'USD');
  const odd = [await send('abc'), await send({ amount: '500.00' })];
  await receiver.received(wanted.length);
  const got = receiver.requests.map(({ headers }) => headers['webhook-id'] as string);
  expect(got.toSorted()).toEqual(wanted.toSorted());
  const issues = await until('the issue counts both events', async () => {
    const { json } = await account.call('GET', '/api/issues?kind=uncomparable');
    return json.data[0]?.count === odd.length && json.data;
  });
  expect(issues).toMatchObject([
    { state: 'open', endpoint_id: endpoint.id, destination_id: id, event_ids: odd.toReversed() },
  ]);
  const trial = await account.call('POST', `/api/endpoints/${endpoint.id}/rules/try`, { filter });
  expect(expectStatus(200, trial)).toMatchObject({ tried: 8, matched: 2 });
  const found = await account.list(endpoint, `?where=${encodeURIComponent(filter)}`);
  expect(found.data.map((event: { id: string }) => event.id).toSorted()).toEqual(wanted.toSorted());
}
