import { silenceCondition, silentAt } from '../../core/issues/silence-condition.ts';
import type { Clock, Logger } from '../../core/runtime/runtime.ts';
import type { AppendResult } from '../../store/contract/events.ts';
import type { Expectation, IssueStore } from '../../store/contract/issues.ts';
import { BackgroundLoop } from '../background-loop.ts';
import { ConditionRound } from './condition-round.ts';
import { DueTimes } from './due-times.ts';

/** The interval of checks for due places, ms. */
const TICK_MS = 250;
/**
 * The due places that one slice reads. With the loop's pauses, that makes 10,000 places a second.
 */
const SLICE_DUE = 50;
/** The interval between two rounds while no endpoint expects events, ms. */
const NONE_EVERY_MS = 1000;
/** The longest interval between two rounds if there are few places, ms. */
const MOST_ROUND_MS = 500;
/** The shortest interval between two rounds, ms for each expectation. */
const ROUND_PER_PLACE_MS = 2;
/** Bounds of the heartbeat interval, ms. The interval is half of the shortest expectation. */
const LEAST_BEAT_MS = 500;
const MOST_BEAT_MS = 5000;
/** The longest time between an event's arrival and its commit, ms. */
const IN_FLIGHT_MS = 250;

/**
 * Opens and closes issues of endpoints that expect events.
 *
 * A round reads all expectations and notes in memory when each is due. Between pages, the loop
 * judges the endpoints that are due. So it notices silence within a second, however many
 * expectations there are. Whether an endpoint is silent follows from the store's rows. A capture or
 * a changed expectation on this node makes the endpoint due at once. Rounds find changes by other
 * nodes.
 *
 * Time without a server doesn't count as silence. While there are expectations, heartbeats record
 * that a server is up. At the start, and after a jump of the clock, the time since the last
 * heartbeat counts as a gap.
 */
export class SilenceLoop extends BackgroundLoop {
  readonly #issues: IssueStore;
  readonly #clock: Clock;
  readonly #round: ConditionRound<Expectation>;
  readonly #due = new DueTimes();
  /** Endpoints that were silent when last judged. An event closes their issues. */
  readonly #silent = new Set<number>();
  /** The shortest expectation of the last round, and of the present round, ms. */
  #shortestBeforeMs = Number.POSITIVE_INFINITY;
  #shortestMs = Number.POSITIVE_INFINITY;
  #isAny = false;
  #isIdle = false;
  #startedAt = 0;
  #nextAt = Number.NEGATIVE_INFINITY;
  #beatAt: number | null = null;

  constructor({ issues, clock, log }: { issues: IssueStore; clock: Clock; log: Logger }) {
    super({
      name: 'looking for silence',
      log,
      everyMs: TICK_MS,
      slice: () => this.#slice(),
    });
    this.#issues = issues;
    this.#clock = clock;
    this.#round = new ConditionRound<Expectation>(issues, {
      kind: 'silence',
      page: (afterKey, limit) => issues.expectations(afterKey, limit),
      judge: (expectation, now) => this.#judge(expectation, now),
    });
  }

  /** Call it after a commit of events, because events end silence. */
  onCommitted(results: readonly AppendResult[]): void {
    if (this.#silent.size === 0) return;
    for (const result of results) {
      if (result.stored && this.#silent.has(result.endpointKey)) {
        this.mayHaveChanged(result.endpointKey);
      }
    }
  }

  /** Makes an endpoint due, because its expectation may have changed. */
  mayHaveChanged(endpointKey: number): void {
    this.#due.note(endpointKey, Number.NEGATIVE_INFINITY);
  }

  /** Returns true if more places are due. */
  async #slice(): Promise<boolean> {
    if (this.#isAny) await this.#beat();
    const isMoreDue = await this.#judgeDue();
    const isMore = await this.#goRound();
    return isMoreDue || isMore;
  }

  async #judgeDue(): Promise<boolean> {
    const keys = this.#due.take(this.#clock.now() - IN_FLIGHT_MS, SLICE_DUE);
    if (keys.length === 0) return false;
    let isSaved = false;
    try {
      await this.#beat();
      const expectations = await this.#issues.expectationsOf(keys);
      const gone = new Set(keys);
      for (const { endpointKey } of expectations) gone.delete(endpointKey);
      for (const key of gone) this.#silent.delete(key);
      const places = [...gone].map((endpointKey) => ({ endpointKey }));
      isSaved = await this.#round.judgeNow(expectations, places, this.#clock.now());
    } finally {
      // The places stay due if the store failed, or if an issue was changed first.
      if (!isSaved) for (const key of keys) this.mayHaveChanged(key);
    }
    return isSaved && keys.length === SLICE_DUE;
  }

  async #goRound(): Promise<boolean> {
    if (!this.#round.isUnderWay) {
      this.#startedAt = this.#clock.monotonic();
      if (this.#startedAt < this.#nextAt) return false;
      this.#isAny = (await this.#issues.expectations(0, 1)).length > 0;
      if (!this.#isAny && this.#isIdle) {
        this.#nextAt = this.#startedAt + NONE_EVERY_MS;
        return false;
      }
      if (this.#isAny) await this.#beat();
      this.#shortestMs = Number.POSITIVE_INFINITY;
      this.#silent.clear();
    }
    if (await this.#round.slice(this.#clock.now())) return true;
    const { size } = this.#round;
    this.#isIdle = size === 0;
    this.#shortestBeforeMs = this.#shortestMs;
    const everyMs = Math.min(MOST_ROUND_MS, this.#shortestMs / 10);
    this.#nextAt = this.#startedAt + Math.max(TICK_MS, everyMs, size * ROUND_PER_PLACE_MS);
    return false;
  }

  #judge(expectation: Expectation, now: number): ReturnType<typeof silenceCondition> {
    const { endpointKey, expectEveryMs } = expectation;
    this.#shortestMs = Math.min(this.#shortestMs, expectEveryMs);
    const seen = silenceCondition(expectation, now - IN_FLIGHT_MS);
    if (seen.holds) {
      this.#silent.add(endpointKey);
    } else {
      this.#silent.delete(endpointKey);
      this.#due.note(endpointKey, silentAt(expectation));
    }
    return seen;
  }

  async #beat(): Promise<void> {
    const now = this.#clock.now();
    const shortestMs = Math.min(this.#shortestMs, this.#shortestBeforeMs);
    const beatMs = Math.max(LEAST_BEAT_MS, Math.min(MOST_BEAT_MS, shortestMs / 2));
    if (this.#beatAt !== null && Math.abs(now - this.#beatAt) < beatMs) return;
    await this.#issues.heartbeat(now, this.#beatAt === null ? 0 : 2 * beatMs);
    this.#beatAt = now;
  }
}
