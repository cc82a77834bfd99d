import { Pool } from 'undici';
import { seededRandom } from '../../fixtures/random.ts';
import { bodyOf, loadTemplate } from '../harness/load-template.ts';
import { PAYLOAD_HEADERS } from '../harness/payload.ts';
import { answerWith } from '../harness/program.ts';
import { randomUuid } from '../harness/random-uuid.ts';
import { stampSentAt } from '../harness/sent-at.ts';

/** Sends at a steady rate, whether or not answers come: a slow answer delays no other request. */

export interface PacedSenderOperations {
  send(request: PacedRequest): Promise<PacedResult>;
}

export interface PacedRequest {
  url: string;
  perSecond: number;
  seconds: number;
}

export interface PacedResult {
  sent: number;
  /** Requests answered by a 2xx. */
  ok: number;
  /** Time until the last answer. */
  seconds: number;
}

const MAX_CONNECTIONS = 64;
const random = seededRandom(4);
const template = loadTemplate();

async function send({ url, perSecond, seconds }: PacedRequest): Promise<PacedResult> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: MAX_CONNECTIONS, pipelining: 1 });
  const total = perSecond * seconds;
  const startedAt = performance.now();
  const under: Promise<boolean>[] = [];
  while (under.length < total) {
    const due = Math.min(total, ((performance.now() - startedAt) / 1000) * perSecond + 1);
    while (under.length < Math.floor(due)) under.push(post(pool, pathname));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const ok = (await Promise.all(under)).filter(Boolean).length;
  const took = (performance.now() - startedAt) / 1000;
  await pool.close();
  return { sent: total, ok, seconds: took };
}

async function post(pool: Pool, path: string): Promise<boolean> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path,
    headers: PAYLOAD_HEADERS.flat(),
    body: stampSentAt(bodyOf(template, randomUuid(random))),
  });
  await body.dump();
  return statusCode >= 200 && statusCode < 300;
}

answerWith({ send } satisfies PacedSenderOperations);
