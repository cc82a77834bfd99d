import http from 'node:http';

/*
 * A program that captures, or asks otherwise, at a steady pace in its own process, so that the test's
 * other work delays no measurement. Arguments: capture URL, count, ms between two, and
 * what is sent, as JSON. Prints each answer time, ms, as a JSON array.
 */

export interface Sent {
  /** Default: POST. */
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** The body is the text of `body`, repeated to so many bytes. */
  bytes?: number;
  localAddress?: string;
  /** Requests that may wait for their answers; the others are left out, and any answer counts. */
  mostWaiting?: number;
}

const [url = '', count = '0', everyMs = '0', sent = '{}'] = process.argv.slice(2);
const {
  method = 'POST',
  headers = {},
  body,
  bytes,
  localAddress,
  mostWaiting,
}: Sent = JSON.parse(sent);
const agent = new http.Agent({ keepAlive: true, ...(localAddress && { localAddress }) });
const text = body ?? (method === 'GET' ? '' : '{"a":1}');
const payload = bytes === undefined ? Buffer.from(text) : Buffer.alloc(bytes, text);
let waiting = 0;

function capture(): Promise<number> {
  const sentAt = performance.now();
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, agent, headers }, (answer) => {
      if (answer.statusCode !== 200 && mostWaiting === undefined) {
        reject(new Error(`answered ${answer.statusCode} after ${times.length}`));
      }
      answer.resume().once('end', () => resolve(performance.now() - sentAt));
    });
    request.once('error', mostWaiting === undefined ? reject : () => resolve(Number.NaN));
    request.end(payload);
  });
}

/** First captures, which pay for the start of this process. */
const WARM_UP = 25;

const begun = performance.now();
const times: number[] = [];
await Promise.all(
  Array.from({ length: WARM_UP + Number(count) }, async (_, i) => {
    const waitMs = begun + i * Number(everyMs) - performance.now();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, waitMs)));
    if (waiting >= (mostWaiting ?? Number.POSITIVE_INFINITY)) return;
    waiting++;
    const took = await capture();
    waiting--;
    if (i >= WARM_UP) times.push(took);
  }),
);
process.stdout.write(JSON.stringify(times));
agent.destroy();
