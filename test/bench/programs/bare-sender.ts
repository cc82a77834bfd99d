import { Pool, request } from 'undici';
import { newId } from '../../../src/core/ids.ts';
import { deliveryHeaders } from '../../../src/delivery/delivery-headers.ts';
import { PAYLOAD_HEADERS } from '../harness/payload.ts';
import { answerWith } from '../harness/program.ts';
import { storedBodies } from '../harness/stored-events.ts';

/**
 * What draining is compared with: `undici.request` in a loop, that reads nothing
 * from a disk and records nothing. It sends what hookrelay would send of the same
 * events, made before the clock starts.
 */

export interface BareSenderOperations {
  prepare(request: { events: number }): void;
  send(request: { url: string; concurrency: number }): Promise<void>;
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
    }),
    body: Buffer.from(text),
  }));
}

async function send({ url, concurrency }: { url: string; concurrency: number }): Promise<void> {
  const dispatcher = new Pool(new URL(url).origin, { connections: concurrency, pipelining: 1 });
  let next = 0;
  const work = async () => {
    for (let one = prepared[next++]; one; one = prepared[next++]) {
      const { statusCode, body } = await request(url, { dispatcher, method: 'POST', ...one });
      if (statusCode !== 200) throw new Error(`the receiver answered ${statusCode}`);
      await body.text();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  await dispatcher.close();
}

answerWith({ prepare, send } satisfies BareSenderOperations);
