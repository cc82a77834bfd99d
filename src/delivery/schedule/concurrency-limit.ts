/** The first limit of a destination. */
export const START_LIMIT = 16;
const LEAST_LIMIT = 4;
const MOST_LIMIT = 128;

/** The fewest answers in a window. A mean of fewer answers is too random. */
const LEAST_ANSWERS = 16;
/** The share of a window's answers that counts. The slowest answers are left out. */
const TYPICAL_SHARE = 0.9;
/** The share by which the limit grows after a window of fast answers. */
const GROWTH = 0.25;
/** A window is fast if its latency is at most `times` the base latency plus `plusMs`. */
const FAST = { times: 1.1, plusMs: 2 };
/**
 * A window is slow if its latency is more than `times` the base latency plus `plusMs`. `plusMs`
 * allows for this server's own work, which also delays answers.
 */
const SLOW = { times: 1.5, plusMs: 10 };
/**
 * A halved limit made answers faster if latency fell to `times` the old one and by at least `byMs`.
 */
const FASTER = { times: 0.8, byMs: 5 };
/** The factor applied to the destination's measured capacity after a probe that found a queue. */
const HEADROOM = 1.1;
/**
 * The base latency is measured again after `afterMs` or `afterLatencies` base latencies. The longer
 * time applies.
 */
const PROBE_AGAIN = { afterMs: 15_000, afterLatencies: 20 };
/** The share of the difference by which the base latency approaches a faster window. */
const BASE_FOLLOWS = 0.1;
/** The share of the limit that remains after a drop. */
const AFTER_DROP = 0.7;
/** How long the limit doesn't grow after a first drop, ms. Each further drop doubles the time. */
const FIRST_REST_MS = 1000;
const LONGEST_REST_MS = 60_000;
/** After this time without a drop, the next drop counts as a first one, ms. */
const FORGIVEN_AFTER_MS = 180_000;

export interface EndedAttempt {
  /** Monotonic time at its end, ms. */
  now: number;
  durationMs: number;
  /** The number of attempts under way to the destination at that time, including this one. */
  underWay: number;
  /**
   * `answered`: the destination did its work. `dropped`: it answered 429 or timed out. Other errors
   * don't count, because their duration says nothing about the destination's work.
   */
  result: 'answered' | 'dropped';
}

/** A search for the destination's latency without a queue. */
interface Probe {
  /** The limit before the probe. */
  limit: number;
  /** Latency before the probe, ms. */
  latencyMs: number;
  /** The lowest latency of the probe so far, ms. */
  lastMs: number;
  /** Whether a smaller limit has made answers faster. That proves a queue. */
  isQueueProven: boolean;
}

/**
 * Finds how many attempts a destination can take at once.
 *
 * A destination works on some number of requests at once. Below that number, another attempt adds
 * throughput and latency stays the same. Above it, another attempt waits in the destination's queue
 * and all answers slow down. So this class compares latencies with the base latency, which is the
 * latency without a queue. TCP Vegas and Netflix's gradient limits do the same. Fast answers raise
 * the limit, and slow answers lower it.
 *
 * **Windows.** One answer shows little, so a window of answers is judged. A window has at least as
 * many answers as the limit. It includes only attempts that started after the last change of the
 * limit. Its latency is the mean without the slowest tenth. After each window the limit stays,
 * grows by a quarter, or a probe begins. The limit grows only if it was reached. Otherwise the
 * window doesn't show what a larger limit would do.
 *
 * **Probes.** Slow answers alone don't prove a queue. The destination itself may have become
 * slower, and a lower limit would only cost throughput. A queue that existed from the start also
 * looks like base latency. A probe decides. It halves the limit for a window, and halves it again
 * while that makes answers faster. The lowest latency is the new base latency.
 * - If no answers became faster, there is no queue. The limit is restored.
 * - If answers became faster, there was a queue. By Little's law, the destination worked on limit
 *   × base latency ÷ latency requests at once. The new limit is that number, with a little
 *   headroom.
 *
 * A probe begins after the first window, when answers are slow, and from time to time.
 *
 * **Drops.** A 429 or a timeout lowers the limit by three tenths. Attempts that were under way
 * together lower it only once. Then the limit doesn't grow for a while. Each further drop makes
 * that time longer. Afterwards the limit grows by one per window, so a destination with a fixed
 * rate refuses few attempts.
 *
 *     growing ── slow, or base too old ──▶ probing ── no faster ──▶ growing
 *     growing, probing ── dropped ──▶ resting ── its time is over ──▶ growing
 */
export class ConcurrencyLimit {
  readonly #most: number;
  readonly #least: number;
  #limit: number;
  #latencyMs: number | null = null;
  #baseMs: number | null = null;
  #answers: number[] = [];
  /**
   * Attempts that started before this time don't count, because an earlier limit applied to them.
   */
  #openedAt = Number.NEGATIVE_INFINITY;
  /** The largest number of attempts under way at once in this window. */
  #peak = 0;
  #probe: Probe | null = null;
  /** The time from which the base latency must be measured again. */
  #probeAt = Number.NEGATIVE_INFINITY;
  #droppedAt = Number.NEGATIVE_INFINITY;
  #restMs = 0;

  /** @param most upper bound of the limit, if below `MOST_LIMIT` */
  constructor(most = MOST_LIMIT) {
    this.#most = Math.min(most, MOST_LIMIT);
    this.#least = Math.min(most, LEAST_LIMIT);
    this.#limit = Math.min(most, START_LIMIT);
  }

  /** The largest number of attempts under way at once. */
  get limit(): number {
    return this.#limit;
  }

  /** Latency of the last window, ms; null before the first. */
  get latencyMs(): number | null {
    return this.#latencyMs;
  }

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
   * Begins a probe. It halves the number of attempts that were under way, which may be below the
   * limit.
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
 * Returns the mean without the slowest tenth. A few slow answers are chance, and must not look like
 * a queue.
 */
function typical(latencies: readonly number[]): number {
  const sorted = Float64Array.from(latencies).sort();
  const kept = sorted.subarray(0, Math.ceil(sorted.length * TYPICAL_SHARE));
  return kept.reduce((sum, ms) => sum + ms, 0) / kept.length;
}
