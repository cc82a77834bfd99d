import { Pool } from 'undici';
import { seededRandom } from '../../fixtures/random.ts';
import type { LoadRequest, LoadResult } from '../harness/load.ts';
import { bodyOf, loadTemplate } from '../harness/load-template.ts';
import { PAYLOAD_HEADERS } from '../harness/payload.ts';
import { answerWith } from '../harness/program.ts';
import { randomUuid } from '../harness/random-uuid.ts';
import { signedHeader } from '../harness/signed-header.ts';
import { percentile } from '../harness/statistics.ts';

/** The load generator without wrk: one request at a time on each connection. */

export interface UndiciLoadOperations {
  run(request: LoadRequest): Promise<LoadResult>;
}

const random = seededRandom(1);

async function run(request: LoadRequest): Promise<LoadResult> {
  const { url, connections, seconds, bodyBytes, secret } = request;
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const headers = PAYLOAD_HEADERS.flat();
  const template = loadTemplate(bodyBytes);
  const latencies: number[] = [];
  let ok = 0;
  let failed = 0;
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const work = async () => {
    for (let now = performance.now(); now < until; ) {
      try {
        const sent = bodyOf(template, randomUuid(random));
        const { statusCode, body } = await pool.request({
          method: 'POST',
          path: pathname,
          headers: secret === undefined ? headers : [...headers, ...signedHeader(sent, secret)],
          body: sent,
        });
        await body.dump();
        if (statusCode >= 200 && statusCode < 300) ok++;
        else failed++;
      } catch {
        failed++;
      }
      const answeredAt = performance.now();
      latencies.push(answeredAt - now);
      now = answeredAt;
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  const took = (performance.now() - startedAt) / 1000;
  await pool.close();
  return {
    ok,
    failed,
    seconds: took,
    p50Ms: percentile(latencies, 50),
    p99Ms: percentile(latencies, 99),
  };
}

answerWith({ run } satisfies UndiciLoadOperations);
