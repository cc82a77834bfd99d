import type { SmtpSettings } from '../../core/channels/smtp-settings.ts';
import type { Reach } from '../../core/flow/after-attempt.ts';
import type { Attempt, Destination } from '../../core/model.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import type { Outgoing, OutgoingRequest } from '../../store/contract/queue.ts';
import type { NameResolver } from '../network/name-resolver.ts';

/**
 * A way to reach a destination. A transport knows its protocol. The queue, the retries and the
 * settlement are the same for all transports.
 *
 * A new transport is a folder here and a line in `transports.ts`.
 */
export interface Transport {
  /**
   * Checks the settings that a person enters for a destination. Returns the settings to store.
   *
   * @throws {HookrelayError} `invalid_input` with one issue for each wrong field.
   */
  validate(settings: SentTo): Promise<SentTo>;
  /**
   * Makes one attempt. Returns null if the server's shutdown ended it before the destination
   * answered. Nothing is recorded then, and the delivery stays due. Rejects only for a fault of
   * hookrelay.
   */
  attempt(delivery: TransportDelivery): Promise<AttemptOutcome | null>;
  /** Ends all connections. Attempts under way return null. */
  close(): Promise<void>;
}

export interface SentTo {
  url: string;
}

export interface TransportDelivery extends Pick<ClaimedDelivery, 'id' | 'eventId' | 'trigger'> {
  /** Number of this attempt in its delivery, from 1. Failed probes count. */
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
  /** The wait that the destination asks for before the retry, ms; null if it doesn't ask. */
  retryAfterMs: number | null;
  /**
   * Whether the deadline or a limit on the response's size ended the attempt. It can be true for a
   * 2xx whose body never ends.
   */
  timedOut: boolean;
  /** Whether the destination is at fault. Its breaker counts this. */
  reach: Reach;
}

export interface TransportOptions {
  /** The operator's `--allow-private-destinations`. */
  allowPrivate: boolean;
  /** The deadline of an attempt, ms. A destination can have its own. */
  timeoutMs: number;
  /** The operator's mail server; null without one. */
  smtp: SmtpSettings | null;
  names: Pick<NameResolver, 'lookup' | 'resolve'>;
  clock: Clock;
  /** Ends attempts early when the server shuts down. */
  signal: AbortSignal;
  /**
   * Opens a sealed value of a destination or an endpoint. Returns null when the value can't be
   * opened.
   */
  openSecret(sealed: Uint8Array, ownerId: string): string | null;
}
