import type { CapturedRequest } from '../../core/http/captured-request.ts';
import type { Verdict } from '../../core/rules/verdict.ts';
import { proofOf } from '../../providers/own-sources/proof-of.ts';
import { otherUrls } from '../../providers/reasons/other-urls.ts';
import { isWorthTrying } from '../../providers/reasons/right-otherwise.ts';
import type { JudgedRequest, OpenedSettings } from './endpoint-judge.ts';
import { EndpointRate } from './endpoint-rate.ts';
import type { JudgeJob } from './judge-thread.ts';
import type { JudgingThreads } from './judging-threads.ts';
import type { OwnUrls } from './signed-urls.ts';

/** The failed requests of one endpoint that are examined. More forgeries cost nothing. */
const OF_ENDPOINT = { most: 2, windowMs: 1000 };
/**
 * The failed requests of all endpoints that are examined. Each takes a thread about 1 ms with a
 * body of 1 KB, and up to about 70 ms with 64 KiB.
 */
const OF_ALL = { most: 5, windowMs: 1000 };

export interface FinerReasonsOptions {
  threads: Pick<JudgingThreads, 'isIdle' | 'judge'>;
  urls: Pick<OwnUrls, 'baseUrl'>;
  /** ms */
  monotonic(): number;
}

/**
 * Finds out why a signature doesn't match. For example, it may match another URL, or the same body
 * in another spelling. Examines few requests, and only while the judging threads are idle.
 */
export class FinerReasons {
  readonly #options: FinerReasonsOptions;
  readonly #ofEndpoint: EndpointRate;
  readonly #ofAll: EndpointRate;

  constructor(options: FinerReasonsOptions) {
    this.#options = options;
    this.#ofEndpoint = new EndpointRate(OF_ENDPOINT, options.monotonic);
    this.#ofAll = new EndpointRate(OF_ALL, options.monotonic);
  }

  /**
   * Returns the verdict, with a finer reason if one is found. Returns null for a request that isn't
   * examined. The request stays failed. Never rejects.
   */
  find(
    verdict: Verdict,
    request: CapturedRequest,
    judged: JudgedRequest,
    opened: OpenedSettings,
  ): Promise<Verdict> | null {
    const { verification, refused } = verdict;
    if (verification?.reason !== 'signature_mismatch' || opened.settings.source === null) {
      return null;
    }
    // Nobody sees the reason of a request that isn't kept, unless a person accepts that request.
    const isSeen = refused?.keep !== false || judged.isAccepted;
    if (!isSeen || !this.#options.threads.isIdle) return null;
    const proof = proofOf(opened.settings.source);
    if (!proof || !isWorthTrying(proof, judged.body.length) || !this.#take(request.publicToken))
      return null;
    return this.#inThread(verdict, this.#job(verdict, request, judged, opened));
  }

  #take(publicToken: string): boolean {
    return this.#ofEndpoint.take(publicToken) && this.#ofAll.take('');
  }

  #job(
    verdict: Verdict,
    request: CapturedRequest,
    judged: JudgedRequest,
    { settings, secrets }: OpenedSettings,
  ): JudgeJob {
    const registered = settings.source?.url ?? null;
    const urls =
      judged.urls.length === 0
        ? []
        : otherUrls(request, registered, this.#options.urls.baseUrl(), judged.urls);
    return {
      opened: { settings: { ...settings, filters: [] }, secrets },
      request: judged,
      isWithoutRules: true,
      failed: { verdict, urls },
    };
  }

  async #inThread(verdict: Verdict, job: JudgeJob): Promise<Verdict> {
    try {
      return (await this.#options.threads.judge(job)).verdict;
    } catch {
      return verdict;
    }
  }
}
