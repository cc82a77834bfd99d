import type { SmtpSettings } from '../../core/channels/smtp-settings.ts';
import type { Reach } from '../../core/flow/after-attempt.ts';
import type { Attempt, Destination } from '../../core/model.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import type { Outgoing, OutgoingRequest } from '../../store/contract/queue.ts';
import type { NameResolver } from '../network/name-resolver.ts';

/**
 * One way to reach a destination. A transport knows its protocol; all share the queue, the retries
 * and the settlement.
 *
 * A new transport is a folder here and a line in `transports.ts`.
 */
export interface Transport {
  /**
   * Checks a person's settings of a destination. Returns the settings to store.
   *
   * @throws {HookrelayError} `invalid_input` with one issue for each wrong field.
   */
  validate(settings: SentTo): Promise<SentTo>;
  /**
   * Makes one attempt. Null when the server's shutdown ended it before the destination answered:
   * nothing is recorded, and the delivery is due as before. Rejects only for a fault of hookrelay.
   */
  attempt(delivery: TransportDelivery): Promise<AttemptOutcome | null>;
  /** Ends all connections. Attempts under way end with null. */
  close(): Promise<void>;
}

export interface SentTo {
  url: string;
}

/** One attempt to make. */
export interface TransportDelivery extends Pick<ClaimedDelivery, 'id' | 'eventId' | 'trigger'> {
  /** Number of this attempt in its delivery, from 1; failed probes count too. */
  attempt: number;
  /** When the attempt starts, Unix ms. */
  attemptedAt: number;
  /** The destination's present settings. */
  destination: Pick<
    Destination,
    'id' | 'url' | 'sealedUrl' | 'sealedSecret' | 'previousSecret' | 'sealedHeaders'
  > & { settings: Pick<Destination['settings'], 'path' | 'timeout' | 'retry'> };
  request: OutgoingRequest;
  signer: Outgoing['signer'];
}

/** The result of one attempt, in the same terms for every transport. */
export interface AttemptOutcome
  extends Pick<
    Attempt,
    | 'responseCode'
    | 'responseHeaders'
    | 'responseBody'
    | 'responseTruncated'
    | 'durationMs'
    | 'error'
    | 'requestHeaders'
  > {
  /** `fatal`: no retry can succeed. */
  verdict: 'succeeded' | 'retryable' | 'fatal';
  /** How long the destination asks to wait before the retry, ms; null when it doesn't ask. */
  retryAfterMs: number | null;
  /**
   * The deadline or a flood limit ended the attempt. That can happen after a success: a 2xx whose
   * body never ends.
   */
  timedOut: boolean;
  /** What the attempt says about the destination, for its breaker. */
  reach: Reach;
}

export interface TransportOptions {
  /** The operator's `--allow-private-destinations`. */
  allowPrivate: boolean;
  /** Deadline of an attempt, ms, unless the destination has its own. */
  timeoutMs: number;
  /** The operator's mail server; null without one. */
  smtp: SmtpSettings | null;
  names: Pick<NameResolver, 'lookup' | 'resolve'>;
  clock: Clock;
  /** Ends attempts early when the server drains. */
  signal: AbortSignal;
  /** Opens a sealed value of a destination or an endpoint; null when it can't be opened. */
  openSecret(sealed: Uint8Array, ownerId: string): string | null;
}
