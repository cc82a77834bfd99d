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

/** The input of a diagnosis. Leaves out deliveries to one-off URLs. Times are Unix milliseconds. */
export interface Case {
  now: number;
  event: CaseEvent;
  endpoint: { id: string; isActive: boolean };
  /** The endpoint's present destinations. */
  destinations: readonly CaseDestination[];
  /** The event's deliveries, from `EventStore.deliveries`. */
  deliveries: readonly CaseDelivery[];
  /** All attempts of the event, in the order of their starts. */
  attempts: readonly CaseAttempt[];
  /** Attempts of the endpoint's other events at about the same time. */
  neighbours: readonly Neighbour[];
  /** The server's limits. `caseAt` applies a destination's own. */
  limits: { attemptTimeoutMs: number; attempts: number };
}

/** An attempt at a destination. */
export interface CaseAttempt extends Attempt {
  destinationId: string;
}

/** A delivery to a destination. */
export interface CaseDelivery extends Delivery {
  destinationId: string;
  /** Why it died without an attempt; null if it didn't. */
  endedBy: EndedWithoutAttempt | null;
  /** The delivery that it waits for in its order; null if it waits for none. */
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
  /** Size of the body, bytes. */
  size: number;
  receivedAt: number;
  /** Why the endpoint's source doesn't verify the sender; null if it does, or there is no source. */
  failure: EventFailure | null;
}

export interface CaseDestination {
  id: string;
  url: string;
  isSigned: boolean;
  createdAt: number;
  settings: DestinationSettings;
  /** Null if no delivery of the event needs it. */
  condition: CaseCondition | null;
}

/** A destination's present flow, and what waits for it. */
export interface CaseCondition {
  flow: Flow;
  waiting: WaitingCount;
  /** How the last attempt before an open breaker, or its last probe, failed; null if unknown. */
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

/** A destination's present state; undefined if it was removed. */
export function destinationOf(
  { destinations }: Case,
  destinationId: string,
): CaseDestination | undefined {
  return destinations.find(({ id }) => id === destinationId);
}

/** The case with one destination's limits. */
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

/** A delivery's situation, and what to do about it. */
export interface Standing {
  text: string;
  /** Empty if the steps for its last failure suffice. */
  steps: string[];
  /** Whether its steps replace a replay. */
  replacesReplay?: boolean;
}

/** The destination's URL and its parts, for texts and for commands. */
export interface DestinationTarget {
  url: string;
  host: string;
  /** The host, quoted for a shell where necessary. */
  shellHost: string;
  port: string;
  /** The URL in single quotes. */
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

/** Numbers the steps, one per line. */
export function numbered(steps: readonly string[]): string {
  return steps.map((step, index) => `${index + 1}. ${step}`).join('\n');
}
