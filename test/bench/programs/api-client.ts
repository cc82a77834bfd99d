import { Pool } from 'undici';
import { answerWith } from '../harness/program.ts';

/** Reads lists and searches over HTTP, and times them. */

export interface ApiClientOperations {
  /** One after the other, each timed to the last byte of its answer. */
  get(request: ApiRequest): Promise<ApiAnswer[]>;
  /** Over and over, so many of `paths` at once, for a time; how many were answered. */
  repeat(request: ApiRequest & { atOnce: number; seconds: number }): Promise<number>;
}

export interface ApiRequest {
  origin: string;
  token: string;
  paths: string[];
}

export interface ApiAnswer {
  ms: number;
  /** How many events match, as the answer says. */
  total: number;
}

const pools = new Map<string, Pool>();

function poolOf(origin: string): Pool {
  let pool = pools.get(origin);
  if (!pool) {
    pool = new Pool(origin, { pipelining: 1 });
    pools.set(origin, pool);
  }
  return pool;
}

async function getOne(origin: string, token: string, path: string): Promise<ApiAnswer> {
  const startedAt = performance.now();
  const { statusCode, body } = await poolOf(origin).request({
    method: 'GET',
    path,
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await body.text();
  const ms = performance.now() - startedAt;
  if (statusCode !== 200) throw new Error(`GET ${path} answered ${statusCode}: ${text}`);
  return { ms, total: (JSON.parse(text) as { total: number }).total };
}

async function get({ origin, token, paths }: ApiRequest): Promise<ApiAnswer[]> {
  const answers: ApiAnswer[] = [];
  for (const path of paths) answers.push(await getOne(origin, token, path));
  return answers;
}

async function repeat({
  origin,
  token,
  paths,
  atOnce,
  seconds,
}: ApiRequest & { atOnce: number; seconds: number }): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let answered = 0;
  const work = async () => {
    while (performance.now() < until) {
      await getOne(origin, token, paths[answered++ % paths.length] as string);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return answered;
}

answerWith({ get, repeat } satisfies ApiClientOperations);
