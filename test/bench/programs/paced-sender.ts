import { Pool } from 'undici';
import { seededRandom } from '../../fixtures/random.ts';
import { bodyOf, loadTemplate } from '../harness/load-template.ts';
import { PAYLOAD_HEADERS } from '../harness/payload.ts';
import { answerWith } from '../harness/program.ts';
import { randomUuid } from '../harness/random-uuid.ts';
import { stampSentAt } from '../harness/sent-at.ts';
import { signedHeader } from '../harness/signed-header.ts';
import { percentile } from '../harness/statistics.ts';

/** Sends at a steady rate, whether or not answers come: a slow answer delays no other request. */

export interface PacedSenderOperations {
  send(request: PacedRequest): Promise<PacedResult>;
}

export interface PacedRequest {
  url: string;
  perSecond: number;
  seconds: number;
  /** Signs the bodies (`signed-header.ts`). */
  secret?: string;
}

export interface PacedResult {
  sent: number;
  /** Requests answered by a 2xx. */
  ok: number;
  /** Requests answered by 401. */
  refused: number;
  /** Time from sending a request to the end of its answer. */
  p99Ms: number;
  /** Time until the last answer. */
  seconds: number;
}

const MAX_CONNECTIONS = 64;
const random = seededRandom(4);
const template = loadTemplate();

async function send({ url, perSecond, seconds, secret }: PacedRequest): Promise<PacedResult> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: MAX_CONNECTIONS, pipelining: 1 });
  const total = perSecond * seconds;
  const startedAt = performance.now();
  const under: Promise<{ status: number; ms: number }>[] = [];
  while (under.length < total) {
    const due = Math.min(total, ((performance.now() - startedAt) / 1000) * perSecond + 1);
    while (under.length < Math.floor(due)) under.push(post(pool, pathname, secret));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const answers = await Promise.all(under);
  const took = (performance.now() - startedAt) / 1000;
  await pool.close();
  return {
    sent: total,
    ok: answers.filter(({ status }) => status >= 200 && status < 300).length,
    refused: answers.filter(({ status }) => status === 401).length,
    p99Ms: percentile(
      answers.map(({ ms }) => ms),
      99,
    ),
    seconds: took,
  };
}

async function post(pool: Pool, path: string, secret: string | undefined) {
  const sent = stampSentAt(bodyOf(template, randomUuid(random)));
  const startedAt = performance.now();
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path,
    headers: [
      ...PAYLOAD_HEADERS.flat(),
      ...(secret === undefined ? [] : signedHeader(sent, secret)),
    ],
    body: sent,
  });
  await body.dump();
  return { status: statusCode, ms: performance.now() - startedAt };
}

answerWith({ send } satisfies PacedSenderOperations);
