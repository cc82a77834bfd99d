import { clockText, type SignedClock } from '../../core/proof/failure-text.ts';
import type { Verification } from '../../core/proof/verification.ts';
import { clean, counted } from '../../core/text/words.ts';
import { memberAt } from '../../providers/member-at.ts';
import { proofOf } from '../../providers/own-sources/proof-of.ts';
import { providerOf } from '../../providers/providers.ts';
import { type RightOtherwise, rightOtherwise } from '../../providers/reasons/right-otherwise.ts';
import {
  type SecretVariation,
  secretVariations,
} from '../../providers/reasons/secret-variations.ts';
import { jsonBody } from '../../providers/signing/json-body.ts';
import type { Proof } from '../../providers/signing/proof.ts';
import type { SignedRequest } from '../../providers/signing/signed-request.ts';
import type { OpenSource } from './merged-source.ts';
import type { SourceHint } from './source-check-answer.ts';

/** Longest time to examine failed events on the main thread, ms. */
const MOST_LOOKING_MS = 1000;
/** The largest body that is examined. */
const MOST_BYTES = 64 * 1024;
/** The largest number of bytes to hash for one event. */
const MOST_HASHED_BYTES = 2 * 1024 * 1024;

interface Variation extends SecretVariation {
  /** The number of the original secret, from 1. */
  of: number;
  events: number;
}

/** Finds what is wrong with a source. Never reveals a secret or a valid signature. */
export class CheckHints {
  readonly #proof: Proof | null;
  readonly #secrets: readonly string[];
  readonly #monotonic: () => number;
  readonly #provider: string;
  readonly #fits: boolean[];
  readonly #variations: Variation[];
  readonly #otherwise: (RightOtherwise & { events: number })[] = [];
  readonly #modes = { live: { fits: 0, fails: 0 }, test: { fits: 0, fails: 0 } };
  #checked = 0;
  #late = 0;
  #worst: SignedClock | null = null;
  #leftMs = MOST_LOOKING_MS;

  /** @param monotonic returns ms */
  constructor({ settings, secrets }: OpenSource, monotonic: () => number) {
    const proof = proofOf(settings);
    this.#proof = proof;
    this.#secrets = secrets ?? [];
    this.#monotonic = monotonic;
    this.#provider = settings.provider;
    this.#fits = this.#secrets.map(() => false);
    this.#variations = this.#secrets
      .flatMap((secret, i) =>
        secretVariations(secret).map((one) => ({ ...one, of: i + 1, events: 0 })),
      )
      .filter(({ secret }) => proof?.problem(secret) === null && !this.#secrets.includes(secret));
  }

  /**
   * Records an event and its verdict. Returns the most helpful reason; null for an event that
   * passes.
   *
   * @param otherUrls other URLs that the event's sender may have signed
   */
  note(
    request: SignedRequest,
    { state, secret, reason }: Verification,
    otherUrls: () => readonly string[],
  ): Verification['reason'] {
    this.#checked++;
    const isRight = state === 'verified' || state === 'authenticated';
    this.#noteMode(request, isRight);
    if (isRight) this.#noteFits(request, secret ?? 1);
    if (reason === 'timestamp_too_old' || reason === 'timestamp_in_future')
      this.#noteClock(request);
    const isTried = reason === 'signature_mismatch' || reason === 'secret_unreadable';
    if (!isTried || request.body.length > MOST_BYTES || this.#leftMs <= 0) return reason;
    const startedAt = this.#monotonic();
    const found = this.#look(request, otherUrls);
    this.#leftMs -= this.#monotonic() - startedAt;
    return found ?? reason;
  }

  get hints(): SourceHint[] {
    return [
      ...this.#ofVariations(),
      ...this.#ofUnused(),
      ...this.#ofModes(),
      ...this.#ofOtherwise(),
      ...this.#ofClock(),
    ];
  }

  /** Checks every secret, because several may fit one request while a provider rotates them. */
  #noteFits(request: SignedRequest, first: number): void {
    this.#fits[first - 1] = true;
    for (const [i, secret] of this.#secrets.entries()) {
      if (!this.#fits[i]) this.#fits[i] = this.#proof?.check(request, secret) === null;
    }
  }

  #noteMode({ body }: SignedRequest, isRight: boolean): void {
    const mode = providerOf(this.#provider)?.mode;
    if (!mode || body.length > MOST_BYTES) return;
    const value = memberAt(jsonBody(body), ...mode.path);
    const counts =
      value === mode.live ? this.#modes.live : value === mode.test ? this.#modes.test : null;
    if (counts) counts[isRight ? 'fits' : 'fails']++;
  }

  #noteClock(request: SignedRequest): void {
    const clock = this.#proof?.clock?.(request) ?? null;
    this.#late++;
    if (clock && (!this.#worst || offOf(clock) > offOf(this.#worst))) this.#worst = clock;
  }

  #look(request: SignedRequest, otherUrls: () => readonly string[]): Verification['reason'] | null {
    const proof = this.#proof;
    if (!proof) return null;
    // Try the variation first that fitted most events.
    this.#variations.sort((a, b) => b.events - a.events);
    const varied = this.#variations.find(({ secret }) => proof.check(request, secret) === null);
    if (varied) {
      varied.events++;
      return null;
    }
    const urls = proof.coversUrl ? otherUrls() : [];
    const found = rightOtherwise(proof, this.#secrets, request, urls, MOST_HASHED_BYTES);
    if (!found) return null;
    const known = this.#otherwise.find(({ reason }) => reason === found.reason);
    if (known) known.events++;
    else this.#otherwise.push({ ...found, events: 1 });
    return found.reason;
  }

  #ofVariations(): SourceHint[] {
    return this.#variations
      .filter(({ events }) => events > 0)
      .map(({ code, how, of, events }) => ({
        ...{ code, secret: of, events },
        message: `secret ${of} fits ${counted(events, 'event')} ${how}`,
      }));
  }

  #ofUnused(): SourceHint[] {
    if (!this.#fits.includes(true)) return [];
    const varied = new Set(this.#variations.filter(({ events }) => events > 0).map(({ of }) => of));
    return this.#fits.flatMap((fits, i) =>
      fits || varied.has(i + 1)
        ? []
        : [
            {
              ...{ code: 'secret_unused' as const, secret: i + 1, events: this.#checked },
              message: `secret ${i + 1} fits none of the last ${counted(this.#checked, 'event')}`,
            },
          ],
    );
  }

  #ofModes(): SourceHint[] {
    const { live, test } = this.#modes;
    const hint = (
      code: 'secret_of_test_mode' | 'secret_of_live_mode',
      [mode, fits]: [string, number],
      [other, events]: [string, number],
    ): SourceHint => ({
      ...{ code, secret: null, events },
      message: `the secrets fit only ${mode} events (${fits}), and ${counted(events, `${other} event`)} failed: add the secret of ${other} mode`,
    });
    if (test.fits > 0 && live.fits === 0 && live.fails > 0) {
      return [hint('secret_of_test_mode', ['test', test.fits], ['live', live.fails])];
    }
    return live.fits > 0 && test.fits === 0 && test.fails > 0
      ? [hint('secret_of_live_mode', ['live', live.fits], ['test', test.fails])]
      : [];
  }

  #ofOtherwise(): SourceHint[] {
    return this.#otherwise.map((found) => {
      const events = counted(found.events, 'event');
      const message =
        found.reason === 'url_mismatch'
          ? `${events} signed for another URL, such as ${clean(found.url, 300)}: set the source's url to the one registered at the provider`
          : `${events} signed over another spelling of the body (${found.spelling}): something between the sender and hookrelay rewrites it`;
      return { code: found.reason, message, secret: null, events: found.events };
    });
  }

  #ofClock(): SourceHint[] {
    if (this.#late === 0) return [];
    const worst = this.#worst ? `: the worst was ${clockText(this.#worst)}` : '';
    const message = `${counted(this.#late, 'event')} signed too early or too late${worst}`;
    return [{ code: 'clock_off', message, secret: null, events: this.#late }];
  }
}

function offOf({ signedAt, receivedAt }: SignedClock): number {
  return Math.abs(receivedAt - signedAt);
}
