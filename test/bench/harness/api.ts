import type { DestinationAnswer } from '../../../src/api/destinations/destination-answer.ts';

/** A server with an account, for the benchmark's own API calls. */
export interface Account {
  url: string;
  token: string;
  endpointId: string;
}

/** Number of events by the API: all, or of one status. */
export async function countEvents(account: Account, status?: string): Promise<number> {
  const query = status === undefined ? '' : `&status=${status}`;
  const response = await fetch(
    `${account.url}/api/endpoints/${account.endpointId}/events?limit=1${query}`,
    { headers: { authorization: `Bearer ${account.token}` } },
  );
  if (!response.ok) throw new Error(`the list answered ${response.status}`);
  return ((await response.json()) as { total: number }).total;
}

/** Another endpoint of the account. */
export async function createEndpoint(
  account: Account,
): Promise<{ endpointId: string; publicToken: string }> {
  const response = await fetch(`${account.url}/api/endpoints`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench' }),
  });
  if (!response.ok) throw new Error(`creating an endpoint answered ${response.status}`);
  const created = (await response.json()) as { id: string; public_token: string };
  return { endpointId: created.id, publicToken: created.public_token };
}

/** Sets who sends to the account's endpoint. */
export async function setSource(
  { url, token, endpointId }: Account,
  source: { provider: string; secrets: string[]; enforce: boolean },
): Promise<void> {
  const response = await fetch(`${url}/api/endpoints/${endpointId}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ source }),
  });
  if (!response.ok) throw new Error(`setting a source answered ${response.status}`);
}

/** How many requests that the source refused are kept. */
export async function countRejected({ url, token, endpointId }: Account): Promise<number> {
  const response = await fetch(`${url}/api/endpoints/${endpointId}/rejected?limit=1`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Error(`the rejected requests answered ${response.status}`);
  return ((await response.json()) as { total: number }).total;
}

/** Adds a destination to the account's endpoint. */
export async function addDestination(
  { url, token, endpointId }: Account,
  destination: { url: string; filter?: unknown },
): Promise<void> {
  const response = await fetch(`${url}/api/endpoints/${endpointId}/destinations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(destination),
  });
  if (!response.ok) throw new Error(`adding a destination answered ${response.status}`);
}

/** The destinations of the account's endpoint, newest first. */
export async function listDestinations({
  url,
  token,
  endpointId,
}: Account): Promise<DestinationAnswer[]> {
  const response = await fetch(`${url}/api/endpoints/${endpointId}/destinations`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Error(`the destinations answered ${response.status}`);
  return (await response.json()) as DestinationAnswer[];
}

const POLL_MS = 100;

/** Polls `read` until `done` accepts its value. Throws with the last value after `deadlineMs`. */
export async function until<T>(
  what: string,
  read: () => Promise<T>,
  done: (value: T) => boolean,
  deadlineMs: number,
): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    const value = await read();
    if (done(value)) return value;
    if (performance.now() - startedAt > deadlineMs) {
      throw new Error(`${what} after ${deadlineMs} ms: ${JSON.stringify(value)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
