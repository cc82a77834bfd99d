import { Pool } from 'undici';
import { answerWith } from '../harness/program.ts';

/** Reads lists and searches over HTTP, and times them. */

export interface ApiClientOperations {
  /** Sequential requests, each timed to the last byte of its answer. */
  get(request: ApiRequest): Promise<ApiAnswer[]>;
  /** Repeats `paths` for a time, this many at once. Returns the number of answers. */
  repeat(request: ApiRequest & { atOnce: number; seconds: number }): Promise<number>;
  /**
   * Resumes a live stream from the middle of the stored events, repeatedly. Returns
   * the times until this many events had come, ms.
   */
  resumeInTheMiddle(request: ResumeRequest): Promise<number[]>;
}

export interface ResumeRequest {
  origin: string;
  token: string;
  path: string;
  events: number;
  times: number;
}

export interface ApiRequest {
  origin: string;
  token: string;
  paths: string[];
}

export interface ApiAnswer {
  ms: number;
  /** Number of matching events, from the answer. */
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

/** Reads a stream's frames until it has enough, and leaves. */
async function follow(
  { origin, token, path }: ResumeRequest,
  cursor: string | null,
  enough: (frames: string[]) => boolean,
): Promise<string[]> {
  const left = new AbortController();
  const { statusCode, body } = await poolOf(origin).request({
    method: 'GET',
    path,
    headers: { authorization: `Bearer ${token}`, ...(cursor && { 'last-event-id': cursor }) },
    signal: left.signal,
  });
  if (statusCode !== 200) throw new Error(`GET ${path} answered ${statusCode}`);
  let text = '';
  for await (const chunk of body) {
    text += String(chunk);
    const frames = text.split('\n\n').slice(0, -1);
    if (!enough(frames)) continue;
    left.abort();
    // The rest of the stream doesn't matter, nor does its end.
    body.on('error', () => {});
    return frames;
  }
  throw new Error(`the stream ended after: ${text}`);
}

async function resumeInTheMiddle(request: ResumeRequest): Promise<number[]> {
  const [ready] = await follow(request, null, (frames) => frames.length > 0);
  const cursor = /^id: (.*)$/m.exec(ready as string)?.[1];
  if (!cursor) throw new Error(`the stream began with ${ready}`);
  const [generation, eventSeq, attemptSeq] = cursor.split('.');
  const middle = `${generation}.${Math.floor(Number(eventSeq) / 2)}.${attemptSeq}`;
  const times: number[] = [];
  for (let i = 0; i < request.times; i++) {
    const startedAt = performance.now();
    await follow(request, middle, (frames) => {
      const events = frames.filter((frame) => frame.startsWith('event: event\n'));
      return events.length >= request.events;
    });
    times.push(performance.now() - startedAt);
  }
  return times;
}

answerWith({ get, repeat, resumeInTheMiddle } satisfies ApiClientOperations);
