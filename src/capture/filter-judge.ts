import { HookrelayError } from '../core/errors.ts';
import type { CapturedRequest } from '../core/http/captured-request.ts';
import type { RuledRequest } from '../core/rules/request-parts.ts';
import type { JudgingSettings, Verdict } from '../core/rules/verdict.ts';
import { RuleTooCostly } from '../core/rules/work.ts';
import type { Logger } from '../core/runtime.ts';
import { JobThread } from '../core/threads/job-thread.ts';
import { Turns } from '../core/turns.ts';
import { EndpointRules } from './endpoint-rules.ts';
import type { JudgeRequest } from './judge-worker.ts';
import type { Judge } from './judged-commit.ts';

/** Larger bodies are judged in a thread: parsing 64 KiB takes less than a millisecond. */
const MOST_BYTES_HERE = 64 * 1024;
/** Requests that take more steps are judged in a thread. So many take a millisecond. */
const MOST_STEPS_HERE = 20_000;
/** Shortest time between two warnings that requests could not be filtered, ms. */
const WARN_EVERY_MS = 10_000;
/** Deadline of one request, ms. 25 MiB of JSON take about 300 ms. */
const DEADLINE_MS = 5000;
const IDLE_MS = 60_000;
/** Memory of all known filters. Beyond it, the one unused for longest is forgotten. */
const MOST_RULE_BYTES = 32 * 1024 * 1024;
/** Memory of a compiled step of a regular expression. */
const BYTES_OF_STEP = 100;
const WORKER_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

interface Known {
  filters: JudgingSettings;
  rules: EndpointRules;
  bytes: number;
}

/**
 * Knows the filters of endpoints that had some at their last capture. Small bodies are
 * judged at once, on the thread that receives them; large ones, and those that take many
 * steps, in a thread, in turns between accounts.
 */
export class FilterJudge implements Judge {
  readonly #log: Logger;
  readonly #known = new Map<string, Known>();
  #bytes = 0;
  #warnedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  readonly #thread: JobThread<JudgeRequest, Verdict>;
  readonly #turns = new Turns({ slots: 1, slotsPerKey: 1 });

  constructor(log: Logger) {
    this.#log = log;
    this.#thread = new JobThread({
      worker: 'judge-worker',
      resourceLimits: WORKER_LIMITS,
      deadlineMs: DEADLINE_MS,
      idleMs: IDLE_MS,
      // Requests wait for their turn, within the memory budget of captures. One has it.
      mostWaiting: 1,
      overloaded: () => new HookrelayError('overloaded', 'too many requests are being filtered'),
      tooLong: () => new Error('the body takes too long to judge'),
      gaveOut: (cause) => new Error('the thread that judges bodies failed', { cause }),
    });
  }

  verdict(request: CapturedRequest): Verdict | Promise<Verdict> | undefined {
    const known = this.#known.get(request.publicToken);
    if (!known) return undefined;
    this.#known.delete(request.publicToken);
    this.#known.set(request.publicToken, known);
    const ruled = { ...request, body: request.body.bytes };
    return this.#judgeHere(known, ruled) ?? this.#inTurn(known, ruled);
  }

  /** Null for a request that takes too long on this thread. */
  #judgeHere({ rules }: Known, request: RuledRequest): Verdict | null {
    if (request.body.length > MOST_BYTES_HERE) return null;
    try {
      return rules.judge(request, MOST_STEPS_HERE);
    } catch (error) {
      return error instanceof RuleTooCostly ? null : this.#everywhere(rules, request, error);
    }
  }

  #inTurn(known: Known, request: RuledRequest): Promise<Verdict> {
    return this.#turns.run(known.filters.userId, () => this.#judgeInThread(known, request));
  }

  learn(publicToken: string, filters: JudgingSettings): void {
    this.#forget(publicToken);
    if (filters.filters.length === 0) return;
    const rules = new EndpointRules(filters, ({ destinationKey }, error) =>
      this.#log.error('a filter or an order cannot be read; it counts for nothing', {
        destinationKey,
        error,
      }),
    );
    const sources = filters.filters.reduce(
      (sum, { filter, orderBy }) => sum + (filter?.length ?? 0) + (orderBy?.length ?? 0),
      0,
    );
    const bytes = sources + rules.regexSteps * BYTES_OF_STEP;
    this.#known.set(publicToken, { filters, rules, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#known.keys()) {
      if (this.#bytes <= MOST_RULE_BYTES || oldest === publicToken) break;
      this.#forget(oldest);
    }
  }

  /** Refuses the requests that wait for the thread. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#thread.close();
  }

  async #judgeInThread({ filters, rules }: Known, request: RuledRequest): Promise<Verdict> {
    const { method, path, query, rawHeaders, contentType, body, provider, eventType, sourceIp } =
      request;
    // The thread would start again.
    if (this.#isClosed) throw new HookrelayError('not_ready', 'the server is shutting down');
    try {
      return await this.#thread.run({
        filters,
        request: {
          ...{ method, path, query, rawHeaders, contentType, body },
          ...{ provider, eventType, sourceIp },
        },
      });
    } catch (error) {
      if (error instanceof HookrelayError) throw error;
      return this.#everywhere(rules, request, error);
    }
  }

  /**
   * A request that can't be judged goes to every destination: nothing is lost. The verdict
   * has a version, so that the commit asks for the filters of now where they changed.
   */
  #everywhere(rules: EndpointRules, { body }: RuledRequest, error: unknown): Verdict {
    if (performance.now() - this.#warnedAt >= WARN_EVERY_MS) {
      this.#warnedAt = performance.now();
      const bytes = body.length;
      const message = 'a request could not be judged; it goes to every destination, in no order';
      this.#log.warn(message, { bytes, error });
    }
    return rules.everywhere();
  }

  #forget(publicToken: string): void {
    this.#bytes -= this.#known.get(publicToken)?.bytes ?? 0;
    this.#known.delete(publicToken);
  }
}
