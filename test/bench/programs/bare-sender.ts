import { Agent, type Dispatcher, Pool, request } from 'undici';
import { newId } from '../../../src/core/ids.ts';
import { deliveryHeaders } from '../../../src/delivery/transports/webhook/delivery-headers.ts';
import { PAYLOAD_HEADERS } from '../harness/payload.ts';
import { answerWith } from '../harness/program.ts';
import { storedBodies } from '../harness/stored-events.ts';

/**
 * The comparison for draining: `undici.request` in a loop that reads nothing from a
 * disk and records nothing. It sends the same requests as hookrelay, built before
 * the clock starts.
 */

export interface BareSenderOperations {
  prepare(request: { events: number }): void;
  /** Each event to each URL. */
  send(request: SendRequest): Promise<void>;
}

export interface SendRequest {
  urls: string[];
  concurrency: number;
}

interface Outgoing {
  headers: string[];
  body: Buffer;
}

let prepared: Outgoing[] = [];

function prepare({ events }: { events: number }): void {
  const now = Date.now();
  prepared = Array.from(storedBodies(events), ({ text }) => ({
    headers: deliveryHeaders({
      rawHeaders: PAYLOAD_HEADERS.flat(),
      eventId: newId('evt', now),
      deliveryId: newId('dlv', now),
      attempt: 1,
      trigger: 'capture',
      timestampS: Math.floor(now / 1000),
      signature: null,
      hops: 0,
      verification: 'unverified',
      resigned: null,
      own: null,
    }),
    body: Buffer.from(text),
  }));
}

async function send({ urls, concurrency }: SendRequest): Promise<void> {
  const dispatcher = dispatcherOf(urls, concurrency);
  const total = prepared.length * urls.length;
  let next = 0;
  const work = async () => {
    while (next < total) {
      const number = next++;
      const url = urls[number % urls.length] as string;
      const outgoing = prepared[Math.floor(number / urls.length)] as Outgoing;
      const { statusCode, body } = await request(url, { dispatcher, method: 'POST', ...outgoing });
      if (statusCode !== 200) throw new Error(`the receiver answered ${statusCode}`);
      await body.text();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  await dispatcher.close();
}

/** Uses what is fastest for one origin; an agent keeps a pool for each of several. */
function dispatcherOf(urls: string[], concurrency: number): Dispatcher {
  const [first, ...others] = urls.map((url) => new URL(url).origin);
  const options = { connections: concurrency, pipelining: 1 };
  return others.length === 0 ? new Pool(first as string, options) : new Agent(options);
}

answerWith({ prepare, send } satisfies BareSenderOperations);
