/** Attempts at once to a destination that is new. */
export const START_LIMIT = 16;
/** Smallest limit. */
const LEAST_LIMIT = 4;
/** Largest limit. */
const MOST_LIMIT = 128;

/** Fewest answers in a window. The mean of fewer is chance. */
const LEAST_ANSWERS = 16;
/** This share of a window's answers counts, the fastest. */
const TYPICAL_SHARE = 0.9;
/** After a window of fast answers the limit grows by this share. */
const GROWTH = 0.25;
/** Answers are fast up to `times` the base latency plus `plusMs`. */
const FAST = { times: 1.1, plusMs: 2 };
/**
 * Answers are slow from `times` the base latency plus `plusMs`. The milliseconds are for this
 * server's own work, which also delays answers.
 */
const SLOW = { times: 1.5, plusMs: 10 };
/** Halving made answers faster if they take `times` the time at most, and at least `byMs` less. */
const FASTER = { times: 0.8, byMs: 5 };
/** The limit after a probe, as a multiple of what the destination takes without a queue. */
const HEADROOM = 1.1;
/** The base latency is measured again after the longer of these times. */
const PROBE_AGAIN = { afterMs: 15_000, afterLatencies: 20 };
/** The base latency moves towards a faster window by this share of the difference. */
const BASE_FOLLOWS = 0.1;
/** A drop leaves this share of the limit. */
const AFTER_DROP = 0.7;
/** After a first drop the limit stays for this long, ms. Each further drop doubles the time. */
const FIRST_REST_MS = 1000;
const LONGEST_REST_MS = 60_000;
/** A drop counts as a first one after this time without drops, ms. */
const FORGIVEN_AFTER_MS = 180_000;

/** An attempt that ended. */
export interface EndedAttempt {
  /** Monotonic time at its end, ms. */
  now: number;
  durationMs: number;
  /** Attempts under way to the destination at its end, itself included. */
  underWay: number;
  /**
   * `answered`: the destination did its work. `dropped`: it answered 429, or not in time. Other
   * errors are neither, because their durations say nothing about work.
   */
  result: 'answered' | 'dropped';
}

/** A search for the destination's latency without a queue. */
interface Probe {
  /** The limit before the probe. */
  limit: number;
  /** Latency before the probe, ms. */
  latencyMs: number;
  /** Latency of the previous window, ms. */
  lastMs: number;
  /** A smaller limit has made answers faster. */
  isQueueProven: boolean;
}

/**
 * Finds how many attempts at once a destination can take.
 *
 * A destination works on some number of requests at once. Up to that number, one more attempt
 * under way adds throughput, and answers stay as fast. Beyond it, one more attempt only waits in
 * the destination's queue, and all answers become slower. So the latency without a queue (the
 * base) is the measure, as in TCP Vegas and Netflix's gradient limits: fast answers raise the
 * limit, slow ones lower it.
 *
 * **Windows.** One answer shows little. A window has at least as many answers as the limit, and
 * its attempts started after the last change. Their mean, without the slowest tenth, is the
 * latency. After each window the limit stays or grows by a quarter, or a probe begins. The limit
 * grows only after a window that used all of it: otherwise nothing shows what more would do.
 *
 * **Probes.** Slow answers alone don't prove a queue: the destination itself may have become
 * slower, and fewer attempts would only cost throughput. And the latency of a queue that was there
 * from the start looks like the base. A probe finds out: it halves the limit for a window, and
 * again while that makes answers faster. The last latency is the new base.
 * - No answer became faster: there is no queue, and the limit is restored.
 * - Answers became faster: there was a queue. By Little's law the destination worked on
 *   limit × base ÷ latency at once, which becomes the limit, with a little headroom.
 *
 * A probe begins after the first window, when answers are slow, and from time to time.
 *
 * **Drops.** A 429 or a timeout takes three tenths off, but only once for all attempts that were
 * under way together. Then the limit stays for a while, longer with each drop, and grows by one a
 * window, so that a destination with a fixed rate refuses few.
 *
 *     growing ── slow, or base too old ──▶ probing ── no longer faster ──▶ growing
 *     growing, probing ── dropped ──▶ resting ── its time is over ──▶ growing
 */
export class ConcurrencyLimit {
  readonly #most: number;
  readonly #least: number;
  #limit: number;
  #latencyMs: number | null = null;
  #baseMs: number | null = null;
  /** Latencies of the present window. */
  #answers: number[] = [];
  /** Attempts that started before this time belong to an earlier limit. */
  #openedAt = Number.NEGATIVE_INFINITY;
  /** Most attempts under way in this window. */
  #peak = 0;
  #probe: Probe | null = null;
  /** From this time on, the base latency is too old. */
  #probeAt = Number.NEGATIVE_INFINITY;
  #droppedAt = Number.NEGATIVE_INFINITY;
  #restMs = 0;

  /** @param most upper bound of the limit, if below `MOST_LIMIT` */
  constructor(most = MOST_LIMIT) {
    this.#most = Math.min(most, MOST_LIMIT);
    this.#least = Math.min(most, LEAST_LIMIT);
    this.#limit = Math.min(most, START_LIMIT);
  }

  /** Attempts that may be under way at once. */
  get limit(): number {
    return this.#limit;
  }

  /** Latency of the last window, ms; null before the first. */
  get latencyMs(): number | null {
    return this.#latencyMs;
  }

  /** Learns from an attempt that ended. */
  onEnd({ now, durationMs, underWay, result }: EndedAttempt): void {
    if (now - durationMs <= this.#openedAt) return;
    if (result === 'dropped') {
      this.#onDropped(now);
      return;
    }
    this.#answers.push(durationMs);
    this.#peak = Math.max(this.#peak, underWay);
    if (this.#answers.length < Math.max(LEAST_ANSWERS, this.#limit)) return;
    const latencyMs = typical(this.#answers);
    const isUsed = this.#peak >= this.#limit;
    if (this.#probe) this.#goOnProbing(this.#probe, latencyMs, now);
    else this.#judge(latencyMs, isUsed, now);
    this.#openWindow(now);
  }

  #onDropped(now: number): void {
    const isFirst = now - this.#droppedAt >= FORGIVEN_AFTER_MS;
    this.#restMs = isFirst ? FIRST_REST_MS : Math.min(LONGEST_REST_MS, this.#restMs * 2);
    this.#droppedAt = now;
    this.#probe = null;
    this.#set(this.#limit * AFTER_DROP);
    this.#openWindow(now);
  }

  #judge(latencyMs: number, isUsed: boolean, now: number): void {
    this.#latencyMs = latencyMs;
    this.#baseMs ??= latencyMs;
    if (latencyMs < this.#baseMs) this.#baseMs += (latencyMs - this.#baseMs) * BASE_FOLLOWS;
    const isSlow = latencyMs > this.#baseMs * SLOW.times + SLOW.plusMs;
    const isFast = latencyMs <= this.#baseMs * FAST.times + FAST.plusMs;
    if (isSlow || (isUsed && now >= this.#probeAt)) this.#beginProbe(latencyMs, now);
    else if (isUsed && isFast && now - this.#droppedAt >= this.#restMs) this.#grow(now);
  }

  #grow(now: number): void {
    const isCareful = now - this.#droppedAt < FORGIVEN_AFTER_MS;
    this.#set(this.#limit + (isCareful ? 1 : Math.max(1, this.#limit * GROWTH)));
  }

  /** Halves the attempts that were under way, which may be fewer than the limit. */
  #beginProbe(latencyMs: number, now: number): void {
    const level = Math.min(this.#limit, this.#peak);
    if (level <= this.#least) {
      this.#endProbe(latencyMs, now);
      return;
    }
    this.#probe = { limit: this.#limit, latencyMs, lastMs: latencyMs, isQueueProven: false };
    this.#set(level / 2);
  }

  #goOnProbing(probe: Probe, latencyMs: number, now: number): void {
    const { lastMs } = probe;
    const isFaster = latencyMs <= lastMs * FASTER.times && latencyMs <= lastMs - FASTER.byMs;
    probe.isQueueProven ||= isFaster;
    probe.lastMs = Math.min(lastMs, latencyMs);
    if (isFaster && this.#limit > this.#least) {
      this.#set(this.#limit / 2);
      return;
    }
    const share = probe.isQueueProven ? (HEADROOM * probe.lastMs) / probe.latencyMs : 1;
    this.#set(probe.limit * Math.min(1, share));
    this.#endProbe(probe.lastMs, now);
  }

  #endProbe(baseMs: number, now: number): void {
    this.#probe = null;
    this.#baseMs = baseMs;
    const { afterMs, afterLatencies } = PROBE_AGAIN;
    this.#probeAt = now + Math.max(afterMs, afterLatencies * baseMs);
  }

  #openWindow(now: number): void {
    this.#answers = [];
    this.#peak = 0;
    this.#openedAt = now;
  }

  #set(limit: number): void {
    this.#limit = Math.max(this.#least, Math.min(this.#most, Math.floor(limit)));
  }
}

/** The mean without the slowest tenth. A few slow answers are chance; a slow half is a queue. */
function typical(latencies: readonly number[]): number {
  const sorted = Float64Array.from(latencies).sort();
  const kept = sorted.subarray(0, Math.ceil(sorted.length * TYPICAL_SHARE));
  return kept.reduce((sum, ms) => sum + ms, 0) / kept.length;
}
