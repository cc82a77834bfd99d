import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerWith } from '../harness/program.ts';
import { sentAtOf } from '../harness/sent-at.ts';

/** A destination: bare `node:http` that answers 200 to everything, and counts. */

export interface ReceiverOperations {
  /** Listens on this many ports, and returns their URLs. */
  listen(request: { urls: number }): Promise<string[]>;
  /** Requests received so far. */
  count(): number;
  /** Restarts the count, for `measured`. */
  watch(watch: Watch): void;
  /** Waits until the watch has seen all its requests. */
  measured(): Promise<Measured>;
  /**
   * Records from now on how long each request was under way, and returns the
   * earlier records, ms.
   */
  takeLatencies(): number[];
}

export interface Watch {
  /** Requests to wait for. */
  requests: number;
  /** The clock starts after this many of them: new code is slow. */
  warmUp: number;
}

export interface Measured {
  /** Requests after the warm-up. */
  requests: number;
  seconds: number;
}

/** Idle connections stay longer than a measurement stops the server that owns them. */
const KEEP_ALIVE_MS = 65_000;
/** Longest time without a request before a watch is given up. */
const STALLED_MS = 15_000;

let received = 0;
let receivedBefore = 0;
let watched: Watch = { requests: 0, warmUp: 0 };
let warmAt = 0;
let lastAt = 0;
let reached: (() => void) | undefined;
let latencies: number[] | undefined;

function onRequest(): void {
  received++;
  const seen = received - receivedBefore;
  if (seen === watched.warmUp) warmAt = performance.now();
  if (seen === watched.requests) {
    lastAt = performance.now();
    reached?.();
  }
}

function listen({ urls }: { urls: number }): Promise<string[]> {
  return Promise.all(Array.from({ length: urls }, listenOnce));
}

function listenOnce(): Promise<string> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (req, res) => {
    onRequest();
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      if (latencies) {
        const sentAt = sentAtOf(Buffer.concat(chunks));
        if (sentAt !== null) latencies.push(sentAt.elapsedMs());
      }
      res.writeHead(200, { 'content-length': '2' }).end('ok');
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

function watch(next: Watch): void {
  receivedBefore = received;
  watched = next;
  lastAt = 0;
}

async function measured(): Promise<Measured> {
  if (lastAt === 0) {
    await new Promise<void>((resolve, reject) => {
      let before = received;
      const stalled = setInterval(() => {
        if (received === before) {
          clearInterval(stalled);
          reject(new Error(`stalled after ${received - receivedBefore} requests`));
        }
        before = received;
      }, STALLED_MS);
      reached = () => {
        clearInterval(stalled);
        resolve();
      };
    });
    reached = undefined;
  }
  return { requests: watched.requests - watched.warmUp, seconds: (lastAt - warmAt) / 1000 };
}

function takeLatencies(): number[] {
  const taken = latencies ?? [];
  latencies = [];
  return taken;
}

answerWith({
  listen,
  count: () => received,
  watch,
  measured,
  takeLatencies,
} satisfies ReceiverOperations);
