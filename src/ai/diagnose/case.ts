import type { Flow } from '../../core/flow/flow.ts';
import type { WaitingCount } from '../../core/flow/waiting.ts';
import { isSuccess } from '../../core/http/is-success.ts';
import type {
  Attempt,
  Delivery,
  DeliveryError,
  EndedWithoutAttempt,
  EventStatus,
  ListedDelivery,
} from '../../core/model.ts';
import type { DestinationSettings } from '../../core/settings/destination-settings.ts';
import type { EventFailure } from '../event-input.ts';

/** A signature of its provider that an event came with. */
export interface SenderSignature {
  provider: string;
  /** The header that the event has, as the provider spells it. */
  header: string;
  isVerified: boolean;
  /** The endpoint's present source can sign the event as the provider does. */
  canResign: boolean;
}

/** The input of a diagnosis. Leaves out deliveries to one-off URLs. Times are Unix milliseconds. */
export interface Case {
  now: number;
  event: CaseEvent;
  endpoint: { id: string; isActive: boolean };
  destinations: readonly CaseDestination[];
  deliveries: readonly CaseDelivery[];
  /** All attempts of the event, in the order of their starts. */
  attempts: readonly CaseAttempt[];
  /** Attempts of the endpoint's other events at about the same time. */
  neighbours: readonly Neighbour[];
  /** The server's limits. `caseAt` replaces them by those of a destination. */
  limits: { attemptTimeoutMs: number; attempts: number };
}

export interface CaseAttempt extends Attempt {
  destinationId: string;
}

export interface CaseDelivery extends Delivery {
  destinationId: string;
  /** Why the delivery died without an attempt; null if it didn't. */
  endedBy: EndedWithoutAttempt | null;
  /** The delivery that must end first, because it has the same order key; null without one. */
  behind: { orderKey: string; first: ListedDelivery } | null;
}

interface CaseEvent {
  id: string;
  status: EventStatus;
  method: string;
  path: string;
  contentType: string | null;
  /** The provider by the headers, such as `stripe`. */
  provider: string | null;
  size: number;
  receivedAt: number;
  /** Why the endpoint's source doesn't verify the sender; null if it does, or there is no source. */
  failure: EventFailure | null;
  /** The signature of the event's provider; null if the event came without one. */
  signature: SenderSignature | null;
}

export interface CaseDestination {
  id: string;
  url: string;
  isSigned: boolean;
  createdAt: number;
  settings: DestinationSettings;
  /** Null if no delivery of the event needs it for its diagnosis. */
  condition: CaseCondition | null;
}

/** How deliveries to a destination flow at present, and what waits there. */
export interface CaseCondition {
  flow: Flow;
  waiting: WaitingCount;
  /**
   * How the last attempt failed before the breaker opened, or how the last probe failed. Null if
   * unknown.
   */
  lastError: DeliveryError | null;
}

export interface Neighbour {
  destinationId: string;
  attemptedAt: number;
  durationMs: number;
  isSuccess: boolean;
  /** Size of the event's body, bytes. */
  size: number;
}

export interface Diagnosis {
  diagnosis: string;
  suggestion: string;
}

export function destinationOf(
  { destinations }: Case,
  destinationId: string,
): CaseDestination | undefined {
  return destinations.find(({ id }) => id === destinationId);
}

/** Returns the case with the limits of one destination. */
export function caseAt(subject: Case, destinationId: string): Case {
  const { timeout, retry } = destinationOf(subject, destinationId)?.settings ?? {};
  const { limits } = subject;
  const own = retry && ('schedule' in retry ? retry.schedule.length + 1 : retry.attempts);
  return {
    ...subject,
    limits: {
      attemptTimeoutMs: timeout ?? limits.attemptTimeoutMs,
      attempts: own ?? limits.attempts,
    },
  };
}

/** Why a delivery is in its state, and what to do about it. */
export interface Standing {
  text: string;
  /** Empty if the steps for the last failure are enough. */
  steps: string[];
  /** Whether these steps make the step to replay superfluous. */
  replacesReplay?: boolean;
}

export interface DestinationTarget {
  url: string;
  host: string;
  /** The host, quoted for a shell where necessary. */
  shellHost: string;
  port: string;
  quotedUrl: string;
  destinationId: string;
  isSigned: boolean;
}

export function succeeded({ responseCode }: Pick<Attempt, 'responseCode'>): boolean {
  return isSuccess(responseCode);
}

export function targetOf(url: string, destinationId: string, isSigned: boolean): DestinationTarget {
  const parsed = URL.parse(url);
  const host = parsed?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const port = parsed?.port || (parsed?.protocol === 'http:' ? '80' : '443');
  // A URL's host may hold `;`, `$` and quotes.
  const shellHost = /^[\w.:-]+$/.test(host) ? host : shellQuoted(host);
  return { url, host, shellHost, port, quotedUrl: shellQuoted(url), destinationId, isSigned };
}

export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function numbered(steps: readonly string[]): string {
  return steps.map((step, index) => `${index + 1}. ${step}`).join('\n');
}
