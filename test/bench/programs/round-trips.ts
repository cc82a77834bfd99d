import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { seededRandom } from '../../fixtures/random.ts';
import { bodyOf, loadTemplate } from '../harness/load-template.ts';
import { PAYLOAD_HEADERS } from '../harness/payload.ts';
import { answerWith } from '../harness/program.ts';
import { randomUuid } from '../harness/random-uuid.ts';
import { percentile } from '../harness/statistics.ts';

/**
 * A sender that waits for its deliveries, and their destinations. The sender sends on 64 connections
 * while fewer than `underWay` requests are under way to a destination.
 */

export interface RoundTripOperations {
  /** Listens on this many ports, and returns their URLs. Each gets all requests. */
  listen(request: { urls: number }): Promise<string[]>;
  run(request: RoundTripRequest): Promise<RoundTripResult>;
}

export interface RoundTripRequest {
  url: string;
  /** Requests that are sent and not yet at all destinations. */
  underWay: number;
  seconds: number;
}

export interface RoundTripResult {
  /** Requests that arrived in time. */
  arrived: number;
  /** Requests that weren't answered by a 2xx. */
  failed: number;
  seconds: number;
  /** From the send to the last byte at the last destination, ms. */
  p50Ms: number;
  p99Ms: number;
}

/** Idle connections stay longer than a measurement stops the server that owns them. */
const KEEP_ALIVE_MS = 65_000;
const MAX_CONNECTIONS = 64;
/** Time for the last requests to arrive, ms. */
const ARRIVE_DEADLINE_MS = 20_000;
const ID = /"id":"([^"]{36})"/;

const random = seededRandom(5);
const template = loadTemplate();
/** What happens when a request has arrived everywhere, by its id. */
const awaited = new Map<string, { missing: number; arrived: () => void }>();
let destinations = 0;
/** Resolved at the next arrival. */
const waiting: (() => void)[] = [];

function listen({ urls }: { urls: number }): Promise<string[]> {
  destinations = urls;
  return Promise.all(Array.from({ length: urls }, listenOnce));
}

function listenOnce(): Promise<string> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      res.writeHead(200, { 'content-length': '2' }).end('ok');
      onArrival(ID.exec(Buffer.concat(chunks).toString('latin1'))?.[1] as string);
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

function onArrival(id: string): void {
  const request = awaited.get(id);
  if (!request || --request.missing > 0) return;
  request.arrived();
  awaited.delete(id);
  for (const resolve of waiting.splice(0)) resolve();
}

async function run({ url, underWay, seconds }: RoundTripRequest): Promise<RoundTripResult> {
  const { origin, pathname: path } = new URL(url);
  const connections = Math.min(underWay, MAX_CONNECTIONS);
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const headers = PAYLOAD_HEADERS.flat();
  const latencies: number[] = [];
  let failed = 0;
  const until = performance.now() + seconds * 1000;
  const send = async () => {
    const id = randomUuid(random);
    const sentAt = performance.now();
    const arrived = () => {
      const arrivedAt = performance.now();
      if (arrivedAt <= until) latencies.push(arrivedAt - sentAt);
    };
    awaited.set(id, { missing: destinations, arrived });
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path,
      headers,
      body: bodyOf(template, id),
    });
    await body.dump();
    if (statusCode >= 200 && statusCode <= 299) return;
    failed++;
    awaited.delete(id);
  };
  const work = async () => {
    while (performance.now() < until) {
      if (awaited.size < underWay) await send();
      else await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const missing = () => reject(new Error(`${awaited.size} requests didn't arrive`));
    timer = setTimeout(missing, seconds * 1000 + ARRIVE_DEADLINE_MS);
  });
  const all = Promise.all(Array.from({ length: connections }, work)).then(async () => {
    while (awaited.size > 0) await new Promise<void>((resolve) => waiting.push(resolve));
  });
  await Promise.race([all, late]);
  clearTimeout(timer);
  await pool.close();
  return {
    arrived: latencies.length,
    failed,
    seconds,
    p50Ms: percentile(latencies, 50),
    p99Ms: percentile(latencies, 99),
  };
}

answerWith({ listen, run } satisfies RoundTripOperations);
