import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { capture, expectStatus, register } from '../fixtures/account.ts';
import { httpReceiver, ok, type Received } from '../fixtures/receiver.ts';
import { until } from '../fixtures/until.ts';

/** Attempts under way at once from one node to a destination that it doesn't know yet. */
const SLOTS = 16;
/** The node that captures claims all of them. What it left in the table, another node would take. */
const EVENTS = SLOTS + 44;
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const NEXT_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

interface Reachable {
  url: string;
}

/**
 * Changes URL and secret of a destination while its slots are full and its other
 * deliveries wait, claimed. Attempts under way end at the old URL. All others go to
 * the new URL with the new secret.
 *
 * @param captures takes the requests and holds the claims
 * @param changes answers the PATCH
 */
export async function changeWhileDeliveriesWait(
  captures: Reachable,
  changes: Reachable,
): Promise<void> {
  const [before, after] = [await httpReceiver(), await httpReceiver()];
  const account = await register(changes);
  const endpoint = await account.createEndpoint();
  const { id } = await account.addDestination(endpoint, `${before.url}/before`, SECRET);
  const captureOne = (body: string) => capture(`${captures.url}/in/${endpoint.public_token}`, body);
  const delivered = (count: number) =>
    until(`${count} are delivered`, async () => {
      const { total } = await account.list(endpoint, '?status=delivered&limit=1');
      return total === count;
    });
  // An untried destination has one slot.
  await captureOne('"first"');
  await delivered(1);

  const held: (() => void)[] = [];
  before.respond = (request, res) => void held.push(() => ok(request, res));
  const ids = await Promise.all(Array.from({ length: EVENTS }, (_, i) => captureOne(`${i}`)));
  await until('its slots are full', () => held.length === SLOTS);
  const url = `${after.url}/after`;
  const path = `/api/endpoints/${endpoint.id}/destinations/${id}`;
  const patched = await account.call('PATCH', path, { url, secret: NEXT_SECRET });
  expect(expectStatus(200, patched)).toMatchObject({ url, secret: '********LaSw' });

  for (const answer of held) answer();
  await delivered(1 + EVENTS);
  expect(before.requests).toHaveLength(1 + SLOTS);
  expect(after.requests).toHaveLength(EVENTS - SLOTS);
  for (const request of before.requests) verify(request, SECRET);
  for (const request of after.requests) verify(request, NEXT_SECRET);
  const wentAfter = new Set(after.requests.map(({ body }) => body.toString()));
  for (const [i, eventId] of ids.entries()) {
    const attempts = await account.attempts(endpoint, eventId);
    const destination_url = wentAfter.has(`${i}`) ? url : `${before.url}/before`;
    expect(attempts).toMatchObject([{ destination_url, response_code: 200 }]);
  }
}

function verify({ body, headers }: Received, secret: string): void {
  new Webhook(secret).verify(body.toString(), headers as Record<string, string>);
}
