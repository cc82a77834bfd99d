/** How many attempts may be under way at once to a new destination. */
export const START_LIMIT = 16;
/** The smallest limit. */
const LEAST_LIMIT = 4;
/** The largest limit. */
const MOST_LIMIT = 128;

/**
 * How many answers a window has at least. The mean of fewer answers shows little more than chance.
 */
const LEAST_ANSWERS = 16;
/** The share of a window's answers that count: the fastest ones. */
const TYPICAL_SHARE = 0.9;
/** The share by which the limit grows after a window of fast answers. */
const GROWTH = 0.25;
/**
 * A window's answers are fast if their latency is at most `times` the base latency plus `plusMs`.
 */
const FAST = { times: 1.1, plusMs: 2 };
/**
 * A window's answers are slow if their latency is more than `times` the base latency plus `plusMs`.
 * `plusMs` allows for this server's own work, which also delays answers.
 */
const SLOW = { times: 1.5, plusMs: 10 };
/**
 * Halving the limit made answers faster if the new latency is at most `times` the old one, and at
 * least `byMs` less.
 */
const FASTER = { times: 0.8, byMs: 5 };
/**
 * After a probe that found a queue, the limit is this multiple of what the destination takes
 * without a queue.
 */
const HEADROOM = 1.1;
/**
 * The base latency is measured again after `afterMs`, or after `afterLatencies` times the base
 * latency if that is longer.
 */
const PROBE_AGAIN = { afterMs: 15_000, afterLatencies: 20 };
/**
 * When a window is faster than the base latency, the base latency moves towards it by this share of
 * the difference.
 */
const BASE_FOLLOWS = 0.1;
/** The share of the limit that a drop leaves. */
const AFTER_DROP = 0.7;
/** How long the limit doesn't grow after a first drop, ms. Each further drop doubles the time. */
const FIRST_REST_MS = 1000;
const LONGEST_REST_MS = 60_000;
/** A drop counts as a first one if there was none for this long, ms. */
const FORGIVEN_AFTER_MS = 180_000;

/** An attempt that ended. */
export interface EndedAttempt {
  /** Monotonic time at its end, ms. */
  now: number;
  durationMs: number;
  /**
   * How many attempts were under way to the destination when this one ended, including this one.
   */
  underWay: number;
  /**
   * `answered`: the destination did its work. `dropped`: it answered 429, or not in time. Other
   * errors don't count here, because how long they took says nothing about the destination's work.
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
  /** Whether a smaller limit has made answers faster, so there was a queue. */
  isQueueProven: boolean;
}

/**
 * Finds how many attempts a destination can take at once.
 *
 * A destination works on some number of requests at once. Up to that number, one more attempt under
 * way adds throughput, and answers stay as fast. Beyond that number, one more attempt only waits in
 * the destination's queue, and all answers become slower. So this class compares latencies with the
 * latency without a queue (the base latency), as TCP Vegas and Netflix's gradient limits do. Fast
 * answers raise the limit, and slow answers lower it.
 *
 * **Windows.** One answer shows little, so answers are judged by the window. A window has at least
 * as many answers as the limit, and only answers to attempts that started after the last change of
 * the limit. The window's latency is the mean of its answers without the slowest tenth. After each
 * window the limit stays the same or grows by a quarter, or a probe begins. The limit grows only if
 * all of it was in use. Otherwise the window doesn't show what a larger limit would do.
 *
 * **Probes.** Slow answers alone don't prove that there is a queue. The destination itself may have
 * become slower, and fewer attempts would then only cost throughput. A queue can also go unnoticed:
 * if it was there from the start, its latency looks like the base latency. A probe finds out. It
 * halves the limit for a window, and halves it again while that makes answers faster. The last
 * latency is the new base latency.
 * - If no answers became faster, there is no queue, and the limit is restored.
 * - If answers became faster, there was a queue. By Little's law, the destination worked on limit ×
 *   base latency ÷ latency requests at once. The new limit is that number, with a little headroom.
 *
 * A probe begins after the first window, when answers are slow, and from time to time.
 *
 * **Drops.** A 429 or a timeout lowers the limit by three tenths. All attempts that were under way
 * together lower it only once. Then the limit doesn't grow for a while, which is longer with each
 * drop. After that it grows by one per window, so that a destination with a fixed rate refuses few
 * attempts.
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
  /**
   * Attempts that started before this time don't count, because they belong to an earlier limit.
   */
  #openedAt = Number.NEGATIVE_INFINITY;
  /** The largest number of attempts that were under way at once in this window. */
  #peak = 0;
  #probe: Probe | null = null;
  /** From this time on, the base latency must be measured again. */
  #probeAt = Number.NEGATIVE_INFINITY;
  #droppedAt = Number.NEGATIVE_INFINITY;
  #restMs = 0;

  /** @param most upper bound of the limit, if below `MOST_LIMIT` */
  constructor(most = MOST_LIMIT) {
    this.#most = Math.min(most, MOST_LIMIT);
    this.#least = Math.min(most, LEAST_LIMIT);
    this.#limit = Math.min(most, START_LIMIT);
  }

  /** How many attempts may be under way at once. */
  get limit(): number {
    return this.#limit;
  }

  /** Latency of the last window, ms; null before the first. */
  get latencyMs(): number | null {
    return this.#latencyMs;
  }

  /** Adjusts the limit to an attempt that ended. */
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

  /**
   * Begins a probe. It halves the number of attempts that were under way, which may be less than
   * the limit.
   */
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

/**
 * Returns the mean without the slowest tenth. A few slow answers are chance, but if half of them
 * are slow, there is a queue.
 */
function typical(latencies: readonly number[]): number {
  const sorted = Float64Array.from(latencies).sort();
  const kept = sorted.subarray(0, Math.ceil(sorted.length * TYPICAL_SHARE));
  return kept.reduce((sum, ms) => sum + ms, 0) / kept.length;
}
