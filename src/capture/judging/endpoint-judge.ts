import {
  type Dropped,
  type Judgement,
  JudgingRules,
  type Ordered,
} from '../../core/judging/judging-rules.ts';
import type { UnjudgedReason } from '../../core/judging/unjudged.ts';
import type { OnceKey } from '../../core/proof/dedupe.ts';
import type { HandshakeEffect, HandshakeVerdict } from '../../core/proof/handshake.ts';
import type { Verification } from '../../core/proof/verification.ts';
import type { VerifyingWork } from '../../core/proof/verifying-work.ts';
import type { RequestParts, RuledRequest } from '../../core/rules/request-parts.ts';
import type { JudgingSettings, Verdict } from '../../core/rules/verdict.ts';
import { RuleTooCostly } from '../../core/rules/work.ts';
import { bodyType } from '../../providers/body-type.ts';
import type { FetchedKey, KeyRequest } from '../../providers/fetched-keys/fetched-key.ts';
import { handshakesOf, isHandshake, MOST_HANDSHAKE_BYTES } from '../../providers/handshakes.ts';
import { proofOf } from '../../providers/own-sources/proof-of.ts';
import { prove } from '../../providers/prove.ts';
import type { Handshake } from '../../providers/provider.ts';
import type { Proof } from '../../providers/signing/proof.ts';
import { isSameText } from '../../providers/signing/same-text.ts';
import type { SignedRequest } from '../../providers/signing/signed-request.ts';
import { OnceKeys } from './once-key.ts';

/** A request in a form that can be sent to a judging thread. */
export interface JudgedRequest extends Omit<RuledRequest, 'verification'> {
  /** The URLs that the sender may have signed; see `signed-urls.ts`. */
  urls: readonly string[];
  /** When the request was sent, Unix ms. */
  sentAt: number;
  /**
   * `copy`: an edited copy of an event. `account`: a request that the server composed for the
   * account.
   */
  origin: 'sender' | 'copy' | 'account';
  /**
   * Whether a person accepts this rejected request. If it fails its check again, it is refused,
   * even if the source isn't enforced.
   */
  isAccepted: boolean;
  /** The fetched key for this request, see `EndpointJudge.missingKey`; null if there is none. */
  key: FetchedKey | null;
}

type VerifiedRequest = JudgedRequest & { verification: Verification | null };

export interface RequestKeys extends Ordered {
  /** See `Verdict.once`. */
  once: OnceKey | null;
}

export interface OpenedSettings {
  settings: JudgingSettings;
  /** Null if there is no source, or if the secrets can't be opened. */
  secrets: readonly string[] | null;
}

/** The answer to a wrong signature. Providers send wrong signatures to test the URL. */
const REFUSED: HandshakeVerdict = {
  answer: { status: 401, content_type: 'text/plain; charset=utf-8', body: '' },
  effect: null,
  isVerified: false,
};
const NO_RULES: Judgement = { dropped: [], orderKeys: [], unjudged: null };

/** Judges requests by one version of an endpoint's settings. */
export class EndpointJudge {
  readonly #settings: JudgingSettings;
  readonly #secrets: readonly string[] | null;
  readonly #proof: Proof | null;
  readonly #handshakes: readonly Handshake[];
  readonly #onceKeys: OnceKeys | null;
  readonly #rules: JudgingRules;
  /**
   * Verdicts on verified requests, by state and secret. Used only if the endpoint has a source and
   * no rules or once-only keys. A message to the store's thread clones a shared verdict once.
   */
  readonly #passed = new Map<string, Verdict>();

  /**
   * @param onUnreadable called for a filter, an order or a path that only a newer version can read.
   *   The judge ignores it
   */
  constructor(
    { settings, secrets }: OpenedSettings,
    onUnreadable: (what: { destinationKey?: number }, error: unknown) => void = () => {},
  ) {
    this.#settings = settings;
    this.#secrets = secrets;
    this.#proof = settings.source && proofOf(settings.source);
    this.#handshakes = handshakesOf(settings.source?.provider ?? null);
    this.#rules = new JudgingRules(settings.filters, bodyType, ({ destinationKey }, error) =>
      onUnreadable({ destinationKey }, error),
    );
    this.#onceKeys = onceKeysOf(settings, (error) => onUnreadable({}, error));
  }

  /** The total steps of all regular expressions. */
  get regexSteps(): number {
    return this.#rules.regexSteps;
  }

  /** Whether the source's proof or handshakes cover URLs. */
  get needsUrls(): boolean {
    return this.#proof?.coversUrl === true || this.#handshakes.some(({ hashesUrl }) => hashesUrl);
  }

  /** Whether a source must verify the sender. Verifying reads the request's bytes. */
  verifies({ origin }: Pick<JudgedRequest, 'origin'>): boolean {
    return this.#settings.source !== null && origin === 'sender';
  }

  /** Whether rules or once-only keys may read the request's body. */
  mayParse(request: JudgedRequest, verification: Verification | null): boolean {
    return !this.#hasOnlySource && !this.#refuses(verification, request);
  }

  /** Whether the once-only key or an order key comes from the request's body. */
  hasKeysInBody(request: JudgedRequest, verification: Verification | null): boolean {
    if (!this.mayParse(request, verification)) return false;
    const claims = this.#mayClaim(verification, request);
    return this.#rules.ordersByBody || (claims && this.#onceKeys?.readsBody(request) === true);
  }

  /** Returns the key to fetch before the request can be verified; null if it needs none. */
  missingKey(request: JudgedRequest): KeyRequest | null {
    if (!this.#proof?.keyNeeded || !this.#secrets || !this.verifies(request)) return null;
    const needed = this.#proof.keyNeeded(signedRequest(request), this.#secrets);
    return needed?.url === request.key?.url ? null : needed;
  }

  /**
   * Verifies the sender by the source. Returns null if there is no source. Throws
   * `VerifyingTooCostly` if that takes more than `work`.
   */
  verify(request: JudgedRequest, work?: VerifyingWork): Verification | null {
    const { source } = this.#settings;
    const provider = source?.provider ?? null;
    const unverified = { state: 'unverified', provider, secret: null } as const;
    if (request.origin === 'copy') return { ...unverified, reason: 'edited' };
    if (source === null) return null;
    if (request.origin === 'account') return { ...unverified, reason: null };
    const signed = signedRequest(request);
    return prove(source, this.#secrets, work ? { ...signed, work } : signed, this.#proof);
  }

  /** Returns a verdict on the sender only, without rules. */
  bySender(request: JudgedRequest, verification: Verification | null): Verdict {
    return this.#verdict(verification, NO_RULES, this.#refuses(verification, request));
  }

  /**
   * Judges a request. With `steps`, throws `RuleTooCostly` if the rules need more steps. Without
   * `steps`, judges a costly request by the rules that it can still evaluate.
   *
   * @param onKeys gets the request's keys before the filters run
   */
  judge(
    request: JudgedRequest,
    steps?: number,
    verification: Verification | null = this.verify(request),
    onKeys: (keys: RequestKeys) => void = () => {},
  ): Verdict {
    const checked = this.#handshake(request, verification);
    if (checked) return checked;
    if (this.#refuses(verification, request)) return this.#verdict(verification, NO_RULES, true);
    if (this.#hasOnlySource && verification?.reason === null) return this.#shared(verification);
    const ruled = { ...request, verification };
    const parts = this.#rules.partsOf(ruled, steps);
    const anyhow = <T>(judge: () => T, apart: () => T): T => {
      try {
        return judge();
      } catch (error) {
        if (steps !== undefined || !(error instanceof RuleTooCostly)) throw error;
        return apart();
      }
    };
    const keys = anyhow(
      () => this.#keys(ruled, parts),
      () => this.#keysApart(ruled),
    );
    onKeys(keys);
    const rules = anyhow(
      () => this.#rules.dropped(parts),
      () => this.#rules.droppedApart(parts),
    );
    return this.#judged(verification, rules, keys);
  }

  /**
   * Returns the verdict on a request whose body took too much time or memory. The filters don't
   * read that body.
   *
   * @param keys the request's keys; if absent, they are read from the body
   */
  withoutRules(
    request: JudgedRequest,
    reason: UnjudgedReason,
    verification: Verification | null = this.verify(request),
    keys?: RequestKeys,
  ): Verdict {
    if (this.#refuses(verification, request)) return this.#verdict(verification, NO_RULES, true);
    const ruled = { ...request, verification };
    const parts = this.#rules.partsWithoutBody(ruled, reason);
    const rules = this.#rules.droppedApart(parts);
    return this.#judged(verification, rules, keys ?? this.#keysApart(ruled));
  }

  /** Throws `RuleTooCostly`. */
  #keys(request: VerifiedRequest, parts: RequestParts): RequestKeys {
    const once = this.#mayClaim(request.verification, request)
      ? (this.#onceKeys?.keyOf(request, parts) ?? null)
      : null;
    return { ...this.#rules.orderKeys(parts), once };
  }

  /** Reads only the keys. Once-only and order also apply to requests that filters can't judge. */
  #keysApart(request: VerifiedRequest): RequestKeys {
    const { orderKeys, unjudged } = this.#rules.orderKeysApart(request);
    const claim = this.#mayClaim(request.verification, request)
      ? this.#onceKeys?.keyApart(request)
      : null;
    const ofClaim = claim?.isRead === false ? 'too_large' : null;
    return { once: claim?.once ?? null, orderKeys, unjudged: unjudged ?? ofClaim };
  }

  #judged(verification: Verification | null, rules: Dropped, keys: RequestKeys): Verdict {
    const { once, orderKeys } = keys;
    const judgement = { ...rules, orderKeys, unjudged: rules.unjudged ?? keys.unjudged };
    return { ...this.#verdict(verification, judgement), once };
  }

  get #hasOnlySource(): boolean {
    return this.#onceKeys === null && this.#settings.filters.length === 0;
  }

  #shared(verification: Verification): Verdict {
    const passed = `${verification.state} ${verification.secret}`;
    const known = this.#passed.get(passed);
    if (known) return known;
    const verdict = this.#verdict(verification, NO_RULES);
    this.#passed.set(passed, verdict);
    return verdict;
  }

  #verdict(verification: Verification | null, rules: Judgement, isRefused = false): Verdict {
    return {
      version: this.#settings.version,
      ...rules,
      verification,
      once: null,
      refused: isRefused ? { keep: true } : null,
      handshake: null,
    };
  }

  /** Returns the verdict on a handshake of the source's provider; null for an ordinary request. */
  #handshake(request: JudgedRequest, verification: Verification | null): Verdict | null {
    if (!verification || !this.verifies(request) || request.body.length > MOST_HANDSHAKE_BYTES) {
      return null;
    }
    const found = this.#handshakes.find((handshake) => isHandshake(handshake, request));
    if (!found) return null;
    const isVerified = verification.state !== 'failed';
    if (found.signed && !isVerified) {
      if (found.signed !== 'or_refused') return null;
      return { ...this.#verdict(verification, NO_RULES, true), handshake: REFUSED };
    }
    const { provider, secret } = verification;
    const reply = found.answer(request, this.#secrets?.[(secret ?? 1) - 1] ?? null);
    if (!reply || !this.#mayHave(reply.effect, request)) return null;
    const unverified: Verification = { state: 'unverified', provider, secret: null, reason: null };
    const { answer, effect = null } = reply;
    return { ...this.#verdict(unverified, NO_RULES), handshake: { answer, effect, isVerified } };
  }

  /**
   * Whether a handshake may have this effect. An accepted request has no effect, because the
   * provider doesn't wait for its answer. A secret never replaces a different one. The same secret
   * may come again, because a provider that lost the answer repeats it.
   */
  #mayHave(effect: HandshakeEffect | undefined, { isAccepted }: JudgedRequest): boolean {
    if (!effect) return true;
    if (isAccepted) return false;
    if (effect.kind !== 'keep_secret') return true;
    const secrets = this.#secrets;
    return secrets?.length === 0 || !!secrets?.some((one) => isSameText(one, effect.secret));
  }

  #refuses(verification: Verification | null, { isAccepted }: JudgedRequest): boolean {
    const isNeeded = isAccepted || this.#settings.source?.enforce === true;
    return isNeeded && verification?.state === 'failed';
  }

  /**
   * Whether the request may claim its once-only key. A forgery must not suppress the event that it
   * imitates.
   */
  #mayClaim(verification: Verification | null, { origin }: JudgedRequest): boolean {
    if (this.#settings.source === null) return origin !== 'copy';
    return verification?.state === 'verified' || verification?.state === 'authenticated';
  }
}

function signedRequest(request: JudgedRequest): SignedRequest {
  const { method, urls, query, rawHeaders, body, sentAt, key } = request;
  return { method, urls, query, rawHeaders, body, receivedAt: sentAt, key };
}

function onceKeysOf(
  { dedupe, source }: JudgingSettings,
  onUnreadable: (error: unknown) => void,
): OnceKeys | null {
  if (dedupe === null) return null;
  try {
    return new OnceKeys(dedupe, source?.provider ?? null);
  } catch (error) {
    onUnreadable(error);
    return null;
  }
}

/**
 * Judges a request. If that fails, judges it without its body. Returns the problem in words; null
 * without one.
 */
export function judgeAnyhow(
  judge: EndpointJudge,
  request: JudgedRequest,
  verification: Verification | null,
  onKeys: (keys: RequestKeys) => void,
): { verdict: Verdict; problem: string | null } {
  let known: RequestKeys | undefined;
  try {
    const verdict = judge.judge(request, undefined, verification, (keys) => {
      known = keys;
      onKeys(keys);
    });
    return { verdict, problem: verdict.unjudged && new RuleTooCostly(verdict.unjudged).message };
  } catch (error) {
    const verdict = judge.withoutRules(request, 'too_slow', verification, known);
    return { verdict, problem: String(error) };
  }
}
