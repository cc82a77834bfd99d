import { HookrelayError } from '../../core/errors.ts';
import type { CapturedRequest } from '../../core/http/captured-request.ts';
import { MOST_REJECTED_PER_S, MOST_UNDECIDED_PER_S } from '../../core/proof/rejected-limits.ts';
import { isUndecided, type Verification } from '../../core/proof/verification.ts';
import type { JudgingSettings, Verdict } from '../../core/rules/verdict.ts';
import { RuleTooCostly } from '../../core/rules/work.ts';
import type { Logger } from '../../core/runtime/runtime.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import type { CpuUse } from '../../core/turns/cpu-use.ts';
import type { FetchedKey, KeyRequest } from '../../providers/fetched-keys/fetched-key.ts';
import { EndpointJudge, type JudgedRequest, type OpenedSettings } from './endpoint-judge.ts';
import { EndpointRate } from './endpoint-rate.ts';
import { FinerReasons } from './finer-reasons.ts';
import { type JudgedJob, reasonOf, type VerifiedJob } from './judge-thread.ts';
import type { Judge } from './judged-commit.ts';
import { JudgingThreads, type JudgingThreadsOptions } from './judging-threads.ts';
import type { KeyRing } from './key-ring.ts';
import { ReceivingAllowance } from './receiving-allowance.ts';
import { type OwnUrls, signedUrls } from './signed-urls.ts';

/**
 * The largest body that the receiving thread judges, bytes. Parsing 64 KiB takes less than a
 * millisecond.
 */
const MOST_BYTES_HERE = 64 * 1024;
/** Rejected requests of one endpoint that are kept with their bodies. */
const REJECTIONS = { most: MOST_REJECTED_PER_S, windowMs: 1000 };
const UNDECIDED = { most: MOST_UNDECIDED_PER_S, windowMs: 1000 };
/** Unsigned handshakes that an enforced source stores. Anybody can send one. */
const HANDSHAKES = { most: 60, windowMs: 3_600_000 };
/** The shortest time between two warnings, ms. */
const WARN_EVERY_MS = 10_000;
/**
 * The memory for all known settings, bytes. Beyond it, the least recently used settings are
 * forgotten.
 */
const MOST_KNOWN_BYTES = 32 * 1024 * 1024;
/** Estimated memory of an endpoint's settings without its rules and secrets, bytes. */
const BYTES_OF_SETTINGS = 1000;
/** Estimated memory of a compiled step of a regular expression, bytes. */
const BYTES_OF_STEP = 100;

interface Known extends OpenedSettings {
  judge: EndpointJudge;
  /** The last key that a large request needed and got; null without one. */
  lastKey: KeyRequest | null;
  bytes: number;
}

type ThreadVerdict = Pick<JudgedJob, 'verdict' | 'missingKey'>;

export interface RequestJudgeOptions {
  keys: Pick<Keys, 'open'>;
  urls: OwnUrls;
  keyRing: Pick<KeyRing, 'known' | 'fetch'>;
  thread: JudgingThreadsOptions['thread'];
  /** The CPU time of each account. The account that used least goes first. */
  cpu: CpuUse;
  log: Logger;
  monotonic(): number;
}

/**
 * Judges requests: whether the endpoint's source sent them, whether they repeat an earlier one, and
 * which destinations take them. Keeps the endpoint's settings with the opened secrets. The
 * receiving thread judges small bodies at once, within an allowance for each account. Other threads
 * judge large bodies, and requests beyond the allowance.
 */
export class RequestJudge implements Judge {
  readonly #options: RequestJudgeOptions;
  readonly #known = new Map<string, Known>();
  readonly #rejections: EndpointRate;
  readonly #undecided: EndpointRate;
  readonly #handshakes: EndpointRate;
  readonly #reasons: FinerReasons;
  readonly #threads: JudgingThreads;
  readonly #allowance: ReceivingAllowance;
  #bytes = 0;
  #warnedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: RequestJudgeOptions) {
    this.#options = options;
    this.#threads = new JudgingThreads(options);
    this.#allowance = new ReceivingAllowance(options.cpu, options.monotonic);
    this.#rejections = new EndpointRate(REJECTIONS, options.monotonic);
    this.#undecided = new EndpointRate(UNDECIDED, options.monotonic);
    this.#handshakes = new EndpointRate(HANDSHAKES, options.monotonic);
    this.#reasons = new FinerReasons({ ...options, threads: this.#threads });
  }

  verdict(request: CapturedRequest): Verdict | Promise<Verdict> | undefined {
    const { publicToken } = request;
    const known = this.#known.get(publicToken);
    if (!known) return undefined;
    this.#known.delete(publicToken);
    this.#known.set(publicToken, known);
    const judged = this.#judgedRequest(request, known);
    const verdict = this.#withKey(known, judged, publicToken);
    return verdict instanceof Promise
      ? verdict.then((late) => this.#settled(late, request, judged, known))
      : this.#settled(verdict, request, judged, known);
  }

  learn(publicToken: string, settings: JudgingSettings): void {
    // All stale requests of one commit return the same settings.
    if (this.#known.get(publicToken)?.settings.version === settings.version) return;
    this.#forget(publicToken);
    const { source, dedupe, filters } = settings;
    if (source === null && dedupe === null && filters.length === 0) return;
    const secrets = this.#open(settings);
    const judge = new EndpointJudge({ settings, secrets }, ({ destinationKey }, error) => {
      const message = 'a filter, an order or a path cannot be read; the server ignores it';
      this.#options.log.error(message, { destinationKey, error });
    });
    const texts = filters.reduce(
      (sum, { filter, orderBy }) => sum + (filter?.length ?? 0) + (orderBy?.length ?? 0),
      BYTES_OF_SETTINGS + 2 * (source?.sealedSecrets.length ?? 0),
    );
    const bytes = texts + judge.regexSteps * BYTES_OF_STEP;
    this.#known.set(publicToken, { settings, secrets, judge, lastKey: null, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#known.keys()) {
      if (this.#bytes <= MOST_KNOWN_BYTES || oldest === publicToken) break;
      this.#forget(oldest);
    }
  }

  /** Ends the threads. Refuses the requests that wait for a thread. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#threads.close();
  }

  #judgedRequest(request: CapturedRequest, { settings, judge }: Known): JudgedRequest {
    const { method, path, query, rawHeaders, contentType, provider, eventType, sourceIp } = request;
    const { source } = settings;
    return {
      ...{ method, path, query, rawHeaders, contentType, provider, eventType, sourceIp },
      body: request.body.bytes,
      urls: source && judge.needsUrls ? signedUrls(request, source.url, this.#options.urls) : [],
      sentAt: request.sentAt ?? request.receivedAt,
      origin: request.editedFrom ? 'copy' : request.isComposed ? 'account' : 'sender',
      isAccepted: request.accepts !== undefined,
      key: null,
    };
  }

  /**
   * Judges a request with the key that it needs. If that key can't be fetched, judges it without
   * the key.
   */
  #withKey(known: Known, request: JudgedRequest, publicToken: string): Verdict | Promise<Verdict> {
    const isLarge = request.body.length > MOST_BYTES_HERE;
    // Only a thread parses a large body, so its key isn't known yet. Most requests need the same
    // key as the last one.
    if (isLarge) {
      const key = known.lastKey && (this.#options.keyRing.known(known.lastKey) ?? null);
      return this.#judgeLate(known, { ...request, key }, publicToken);
    }
    const missing = known.judge.missingKey(request);
    if (missing === null) return this.#judged(known, request);
    const key = this.#options.keyRing.known(missing);
    if (key !== undefined) return this.#judged(known, { ...request, key });
    return this.#fetched(missing, known, publicToken).then((late) =>
      this.#judged(known, { ...request, key: late }),
    );
  }

  /**
   * Verifies and judges a request, on this thread if that is cheap, otherwise on another thread.
   */
  #judged(known: Known, request: JudgedRequest): Verdict | Promise<Verdict> {
    const verification = this.#verifyHere(known, request);
    if (verification !== undefined) return this.#ruled(known, request, verification);
    const { settings, secrets } = known;
    return this.#threads
      .verify({ opened: { settings, secrets }, request })
      .catch((error: unknown) => this.#refused(request, error))
      .then((late) => this.#ruled(known, request, late));
  }

  /** Returns undefined if verifying takes too long for this thread. */
  #verifyHere({ settings, judge }: Known, request: JudgedRequest): Verification | null | undefined {
    return this.#allowance.verify(settings.userId, (work) => judge.verify(request, work));
  }

  #ruled(
    known: Known,
    request: JudgedRequest,
    verification: Verification | null,
  ): Verdict | Promise<Verdict> {
    const verdict = this.#judgeHere(known, request, verification);
    return (
      verdict ?? this.#judgeInThread(known, request, verification).then((late) => late.verdict)
    );
  }

  async #judgeLate(known: Known, request: JudgedRequest, publicToken: string): Promise<Verdict> {
    const { verdict, missingKey } = await this.#judgeInThread(known, request);
    if (missingKey === null) return verdict;
    const here = this.#options.keyRing.known(missingKey);
    const key = here === undefined ? await this.#fetched(missingKey, known, publicToken) : here;
    // Without the key the sender isn't verified, but the rules still apply.
    if (key === null) {
      return (await this.#judgeInThread(known, request, verdict.verification)).verdict;
    }
    known.lastKey = missingKey;
    return (await this.#judgeInThread(known, { ...request, key })).verdict;
  }

  async #fetched(
    request: KeyRequest,
    { settings: { userId } }: Known,
    publicToken: string,
  ): Promise<FetchedKey | null> {
    const key = await this.#options.keyRing.fetch(request, { publicToken, userId });
    // A verdict is final. So a shutdown refuses the request, and the sender sends it again.
    if (key === null && this.#isClosed) {
      throw new HookrelayError('not_ready', 'the server is shutting down');
    }
    return key;
  }

  /** Returns undefined if judging takes too long for this thread. */
  #judgeHere(
    { settings, judge }: Known,
    request: JudgedRequest,
    verification: Verification | null,
  ): Verdict | undefined {
    const bytes = judge.mayParse(request, verification) ? request.body.length : 0;
    return this.#allowance.judge(settings.userId, bytes, (steps) => {
      try {
        return judge.judge(request, steps, verification);
      } catch (error) {
        if (error instanceof RuleTooCostly) throw error;
        return this.#withoutRules(judge, request, { verification }, error);
      }
    });
  }

  /** @param verification undefined if the sender hasn't been checked yet */
  async #judgeInThread(
    { settings, secrets, judge }: Known,
    request: JudgedRequest,
    verification?: Verification | null,
  ): Promise<ThreadVerdict> {
    let verified: VerifiedJob | null = verification === undefined ? null : { verification };
    try {
      const { problem, ...judged } = await this.#threads.judge(
        { opened: { settings, secrets }, request, verification, isWithoutRules: false },
        (report) => {
          verified = report;
        },
      );
      if (problem !== null) this.#warn(request, problem, judged.verdict);
      return judged;
    } catch (error) {
      if (error instanceof HookrelayError) throw error;
      return this.#withoutThread(judge, request, verified, error);
    }
  }

  /**
   * Returns the verdict on a request that the thread couldn't judge. Uses the thread's reports, and
   * what is cheap to find out here.
   */
  #withoutThread(
    judge: EndpointJudge,
    request: JudgedRequest,
    reported: VerifiedJob | null,
    error: unknown,
  ): ThreadVerdict {
    // Without a source to check, verifying reads no bytes.
    const isVerifiedHere = reported === null && !judge.verifies(request);
    const verified = isVerifiedHere ? { verification: judge.verify(request) } : reported;
    if (verified === null) return this.#refused(request, error);
    const { verification, keys } = verified;
    const isLarge = request.body.length > MOST_BYTES_HERE;
    if (!keys && isLarge && judge.hasKeysInBody(request, verification)) {
      return this.#refused(request, error);
    }
    const verdict = this.#withoutRules(judge, request, verified, error);
    return { verdict, missingKey: null };
  }

  /**
   * Refuses a request whose sender can't be verified or whose keys can't be read. Without its keys,
   * the request could be delivered twice or out of order.
   */
  #refused(request: JudgedRequest, problem: unknown): never {
    if (problem instanceof HookrelayError) throw problem;
    this.#warn(request, problem, null);
    const message = 'the server could not verify the request or read its keys; nothing was stored';
    throw new HookrelayError('overloaded', message, {
      hint: 'send the request again',
      retryAfterS: 1,
      cause: problem,
    });
  }

  /**
   * Returns the verdict on a request whose body can't be judged. The request passes the filters
   * that read its body, so nothing is lost.
   */
  #withoutRules(
    judge: EndpointJudge,
    request: JudgedRequest,
    { verification, keys }: VerifiedJob,
    error: unknown,
  ): Verdict {
    const verdict = judge.withoutRules(request, reasonOf(error), verification, keys);
    this.#warn(request, error, verdict);
    return verdict;
  }

  #settled(
    verdict: Verdict,
    request: CapturedRequest,
    judged: JudgedRequest,
    known: Known,
  ): Verdict | Promise<Verdict> {
    const limited = this.#limited(verdict, request);
    // A new job would start the thread again.
    if (this.#isClosed) return limited;
    return this.#reasons.find(limited, request, judged, known) ?? limited;
  }

  /**
   * Decides whether a rejected request is kept, within a rate. A request that a person tried to
   * accept is already stored, so it isn't kept again.
   */
  #limited(verdict: Verdict, { publicToken, accepts }: CapturedRequest): Verdict {
    const { handshake, refused } = verdict;
    if (handshake && !refused && !handshake.isVerified && !handshake.effect) {
      const isEnforced = this.#known.get(publicToken)?.settings.source?.enforce === true;
      const isStored = !isEnforced || this.#handshakes.take(publicToken);
      return isStored ? verdict : { ...verdict, refused: { keep: false } };
    }
    if (refused === null) return verdict;
    const rate = isUndecided(verdict.verification) ? this.#undecided : this.#rejections;
    const keep = accepts === undefined && rate.take(publicToken);
    return keep ? verdict : { ...verdict, refused: { keep } };
  }

  /**
   * Returns the secrets of the source. Returns null without a source, or if they can't be opened.
   */
  #open({ source, endpointId }: JudgingSettings): string[] | null {
    if (source === null) return null;
    const text = this.#options.keys.open(source.sealedSecrets, endpointId);
    if (text !== null) return JSON.parse(text) as string[];
    const message = 'the secrets of a source cannot be opened; no request of it can be verified';
    this.#options.log.error(message, { endpoint: endpointId });
    return null;
  }

  /** @param verdict null if the sender couldn't be verified */
  #warn({ body }: JudgedRequest, error: unknown, verdict: Verdict | null): void {
    if (performance.now() - this.#warnedAt < WARN_EVERY_MS) return;
    this.#warnedAt = performance.now();
    const fate =
      verdict === null
        ? 'nothing was stored, and the sender got 503'
        : verdict.refused
          ? 'its sender is not verified, so it is refused'
          : 'it passes the filters that could not be judged';
    const message = `a request could not be judged; ${fate}`;
    this.#options.log.warn(message, { bytes: body.length, error });
  }

  #forget(publicToken: string): void {
    this.#bytes -= this.#known.get(publicToken)?.bytes ?? 0;
    this.#known.delete(publicToken);
  }
}
