import { ConcurrencyLimit } from '../../../src/delivery/schedule/concurrency-limit.ts';

/** Decides how long a request takes and how it ends. `busy` counts the other requests under way. */
export type Receiver = (request: { now: number; busy: number }) => {
  durationMs: number;
  dropped?: boolean;
};

export interface Second {
  /** Limit at the end of this second. */
  limit: number;
  /** Successes that ended in this second. */
  delivered: number;
  dropped: number;
  /** Median latency of the successes, ms; NaN without any. */
  latencyMs: number;
}

interface Attempt {
  startedAt: number;
  endsAt: number;
  dropped: boolean;
}

export interface Simulation {
  seconds: number;
  limit?: ConcurrencyLimit;
  /** Time between captures, ms. By default there is always one more delivery waiting. */
  everyMs?: number;
  startAt?: number;
}

/** Runs a limit against a receiver, with a clock of its own. Returns one record for each second. */
export function simulate(receiver: Receiver, options: Simulation): Second[] {
  const { seconds, everyMs = 0, startAt = 0 } = options;
  const limit = options.limit ?? new ConcurrencyLimit();
  const underWay: Attempt[] = [];
  const records: Second[] = [];
  let latencies: number[] = [];
  let dropped = 0;
  let now = startAt;
  let next = startAt;
  let reportAt = startAt + 1000;
  const report = () => {
    const sorted = latencies.sort((a, b) => a - b);
    const latencyMs = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
    records.push({ limit: limit.limit, delivered: sorted.length, dropped, latencyMs });
    latencies = [];
    dropped = 0;
    reportAt += 1000;
  };
  while (records.length < seconds) {
    while (underWay.length < limit.limit && next <= now) {
      const { durationMs, dropped = false } = receiver({ now, busy: underWay.length });
      underWay.push({ startedAt: now, endsAt: now + durationMs, dropped });
      next = everyMs === 0 ? next : next + everyMs;
    }
    let first = 0;
    for (let i = 1; i < underWay.length; i++) {
      if ((underWay[i] as Attempt).endsAt < (underWay[first] as Attempt).endsAt) first = i;
    }
    const endsAt = underWay[first]?.endsAt ?? Number.POSITIVE_INFINITY;
    const startsAt = underWay.length < limit.limit ? next : Number.POSITIVE_INFINITY;
    now = Math.min(endsAt, startsAt);
    while (now >= reportAt && records.length < seconds) report();
    if (endsAt > now) continue;
    const ended = underWay[first] as Attempt;
    const durationMs = ended.endsAt - ended.startedAt;
    const result = ended.dropped ? 'dropped' : 'answered';
    limit.onEnd({ now, durationMs, underWay: underWay.length, result });
    underWay.splice(first, 1);
    if (ended.dropped) dropped++;
    else latencies.push(durationMs);
  }
  return records;
}

/** Answers each request after the same time. */
export function fixedLatency(ms: number): Receiver {
  return () => ({ durationMs: ms });
}

/** Works on `workers` requests at once; the others wait in a queue. */
export function workers(count: number, workMs: () => number): Receiver {
  const freeAt = Array.from({ length: count }, () => Number.NEGATIVE_INFINITY);
  return ({ now }) => {
    const worker = freeAt.indexOf(Math.min(...freeAt));
    const endsAt = Math.max(now, freeAt[worker] as number) + workMs();
    freeAt[worker] = endsAt;
    return { durationMs: endsAt - now };
  };
}

/** Refuses what is above a rate, in a bucket of a tenth of a second. */
export function rateLimited(perSecond: number, ms: number): Receiver {
  const most = perSecond / 10;
  let tokens = most;
  let at = 0;
  return ({ now }) => {
    tokens = Math.min(most, tokens + ((now - at) * perSecond) / 1000);
    at = now;
    if (tokens < 1) return { durationMs: 1, dropped: true };
    tokens--;
    return { durationMs: ms };
  };
}
