import { CodedNames, type NameOf } from '../coded-names.ts';

/**
 * An issue says that something is wrong: one cause at one place. Events and attempts open, feed and
 * close issues; people acknowledge, resolve and ignore them.
 *
 *                    ┌──────── happens again ────────┐
 *                    ▼                               │
 *     forming ──▶ open ── a person ──▶ acknowledged ─┤
 *                  │ │                      │        │
 *                  │ └── closes by itself, or a person: resolved
 *                  └──── a person ──▶ ignored (it counts on, and stays silent)
 *
 * A forming issue hasn't opened yet: a destination has failed, but no delivery has died. Nobody
 * sees it.
 */
export const ISSUE_KIND = new CodedNames({
  delivery: 0,
  verification: 1,
  backlog: 2,
  silence: 3,
  drift: 4,
  conflict: 5,
  alert: 6,
  unjudged: 7,
});
export type IssueKind = NameOf<typeof ISSUE_KIND>;

export const ISSUE_STATES = ['open', 'acknowledged', 'resolved', 'ignored'] as const;
export type IssueState = (typeof ISSUE_STATES)[number];
/** States that a person may set. */
export const SETTABLE_STATES = ['acknowledged', 'resolved', 'ignored'] as const;
export type SettableState = (typeof SETTABLE_STATES)[number];

/** An issue names at most this many events, the newest. */
export const ISSUE_EVENTS = 10;
/** An endpoint's verification is judged by this many outcomes. */
export const OUTCOMES = 20;
/** How long an issue is kept after it was resolved, ms. */
export const RESOLVED_KEPT_MS = 90 * 86_400_000;
/** The subject of the `delivery` or `alert` that covers a destination's further statuses. */
export const OTHER_CODES = 'other';
/** The subject of a `verification` issue about a secret that a handshake brought. */
export const BROUGHT_SECRET = 'brought_secret';

/** The place and the cause: an issue's identity. */
export interface IssueCause {
  kind: IssueKind;
  endpointKey: number;
  /** 0 for a kind that isn't about a destination. */
  destinationKey: number;
  /**
   * Distinguishes causes at one place: the error code of a `delivery` or an `alert` (`timeout`,
   * `http_503` or `OTHER_CODES`), the event type of a `drift`, or `BROUGHT_SECRET`. Empty for the
   * other kinds.
   */
  subject: string;
}

/** An issue as it is stored. Times are Unix ms. */
export interface Issue extends IssueCause {
  key: number;
  id: string;
  /** The account that owns the endpoint; for an `alert`, the channel. */
  userId: string;
  state: IssueState | 'forming';
  /** Grows with each change. The store refuses a change that is based on another version. */
  version: number;
  /** How often the cause was seen since it opened. */
  count: number;
  firstAt: number;
  /** When the cause was last seen; for a resolved issue, when it was resolved. */
  lastAt: number;
  /** Ids of events that show the cause, newest first, at most `ISSUE_EVENTS`. */
  eventIds: readonly string[];
  /** What the fold of its kind keeps (`core/issues/…-streak.ts`), at most 4 KiB as JSON. */
  streak: Readonly<Record<string, unknown>>;
  /** Successes since the cause was last seen. By it the store finds issues that may close. */
  successes: number;
  /** The explanation of `diagnose`; null before it. */
  explanation: { cause: string; suggestion: string } | null;
  /** The state that channels last heard of; null before the first message. */
  notified: 'open' | 'resolved' | null;
  /** When channels last heard that it opened. */
  notifiedAt: number | null;
  /** When channels should hear of its state; null where they needn't. */
  notifyAt: number | null;
}

/** An issue with the names that its title and its view need. */
export interface NamedIssue {
  issue: Issue;
  /** Null for an `alert`: the endpoint of a channel is internal. */
  endpoint: { id: string; name: string } | null;
  /** Null for a kind without a destination, and for an `alert`. */
  destination: { id: string; url: string; name: string | null } | null;
  /** The channel that an `alert` is about. */
  channel: { id: string; type: string; target: string } | null;
}
