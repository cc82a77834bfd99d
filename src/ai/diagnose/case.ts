import type { Attempt, Delivery, EventStatus } from '../../core/model.ts';
import { isSuccess } from '../../core/success.ts';

/** All that a diagnosis is made from. Times are Unix milliseconds. */
export interface Case {
  now: number;
  event: CaseEvent;
  endpoint: { id: string; isActive: boolean };
  /** Those that the endpoint has now. */
  destinations: readonly CaseDestination[];
  /** The event's, as `EventStore.deliveries` tells them. */
  deliveries: readonly Delivery[];
  /** All of the event's, in the order in which they were begun. */
  attempts: readonly Attempt[];
  /** Attempts of other events of the endpoint, made at about the same time. */
  neighbours: readonly Neighbour[];
  limits: { attemptTimeoutMs: number; attempts: number };
}

export interface CaseEvent {
  id: string;
  status: EventStatus;
  method: string;
  path: string;
  contentType: string | null;
  /** Who sent it, as its headers say: `stripe`. */
  provider: string | null;
  /** Of the body, bytes. */
  size: number;
  receivedAt: number;
}

export interface CaseDestination {
  id: string;
  url: string;
  isSigned: boolean;
  createdAt: number;
}

export interface Neighbour {
  destinationId: string;
  attemptedAt: number;
  durationMs: number;
  isSuccess: boolean;
  /** Of its event's body, bytes. */
  size: number;
}

export interface Diagnosis {
  diagnosis: string;
  suggestion: string;
}

/** What a rule finds: why, and what to do, each step with the command where there is one. */
export interface Verdict {
  cause: string;
  steps: string[];
  /** The same request fails in the same way until somebody changes something. */
  isLasting?: boolean;
}

/** What commands are made of: quoted for a shell, made from the destination's own URL. */
export interface Target {
  url: string;
  host: string;
  /** The same for a command line. */
  shellHost: string;
  port: string;
  /** In single quotes. */
  quotedUrl: string;
  destinationId: string;
  isSigned: boolean;
}

export function succeeded({ responseCode }: Pick<Attempt, 'responseCode'>): boolean {
  return isSuccess(responseCode);
}

export function targetOf(url: string, destinationId: string, isSigned: boolean): Target {
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

/** Steps, each on a line of its own. */
export function numbered(steps: readonly string[]): string {
  return steps.map((step, index) => `${index + 1}. ${step}`).join('\n');
}
