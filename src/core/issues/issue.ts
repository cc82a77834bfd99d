import { CodedNames, type NameOf } from '../coded-names.ts';

/**
 * An issue says that something is wrong: one cause at one place. Events and attempts open an issue,
 * add to its count, and close it. People acknowledge, resolve or ignore it.
 *
 *                    ┌──────── happens again ────────┐
 *                    ▼                               │
 *     forming ──▶ open ── a person ──▶ acknowledged ─┤
 *                  │ │                      │        │
 *                  │ └── closes by itself, or a person: resolved
 *                  └──── a person ──▶ ignored (it keeps counting, and stays silent)
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

/** How many events an issue names at most. It names the newest. */
export const ISSUE_EVENTS = 10;
/** How many of the newest outcomes decide whether an endpoint's verification fails. */
export const OUTCOMES = 20;
/** How long an issue is kept after it was resolved, ms. */
export const RESOLVED_KEPT_MS = 90 * 86_400_000;
/** The subject of the one issue that covers all further statuses of a destination. */
export const OTHER_CODES = 'other';
/** The subject of a `verification` issue about a secret that a handshake brought. */
export const BROUGHT_SECRET = 'brought_secret';

/** The identity of an issue: the place and the cause. */
export interface IssueCause {
  kind: IssueKind;
  endpointKey: number;
  /** 0 for a kind that isn't about a destination. */
  destinationKey: number;
  /**
   * Distinguishes causes at one place. For a `delivery` or an `alert`, it is the error code
   * (`timeout`, `http_503` or `OTHER_CODES`). For a `drift`, it is the event type. For a
   * `verification`, it is `BROUGHT_SECRET` or empty. For the other kinds, it is empty.
   */
  subject: string;
}

/** An issue as it is stored. Times are Unix ms. */
export interface Issue extends IssueCause {
  key: number;
  id: string;
  /** The account that owns the endpoint. For an `alert`, the account that owns the channel. */
  userId: string;
  state: IssueState | 'forming';
  /** Grows with each change. The store refuses a change that was made to another version. */
  version: number;
  /** How often the cause was seen since it opened. */
  count: number;
  firstAt: number;
  /** When the cause was last seen. For a resolved issue, when it was resolved. */
  lastAt: number;
  /** Ids of events that show the cause, newest first, at most `ISSUE_EVENTS`. */
  eventIds: readonly string[];
  /** What the issue's `core/issues/…-streak.ts` remembers, at most 4 KiB of JSON. */
  streak: Readonly<Record<string, unknown>>;
  /** Successes since the cause was last seen. With them the store finds issues that may close. */
  successes: number;
  /** The explanation that `diagnose` gave. Null until then. */
  explanation: { cause: string; suggestion: string } | null;
  /** The last state that channels reported. Null before the first message. */
  notified: 'open' | 'resolved' | null;
  /** When channels last reported that the issue opened. */
  notifiedAt: number | null;
  /** When channels should report the issue's state. Null if they needn't. */
  notifyAt: number | null;
}

/** An issue with the names that its title and its view need. */
export interface NamedIssue {
  issue: Issue;
  /** Null for an `alert`, because the endpoint of a channel is internal. */
  endpoint: { id: string; name: string } | null;
  /** Null for a kind without a destination, and for an `alert`. */
  destination: { id: string; url: string; name: string | null } | null;
  /** The channel that an `alert` is about. Null for other kinds. */
  channel: { id: string; type: string; target: string } | null;
}
