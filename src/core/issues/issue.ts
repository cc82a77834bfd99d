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
 * A forming issue hasn't opened yet: a destination has failed, but no delivery has died and too
 * few events have failed in a row. Nobody sees it.
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
  uncomparable: 8,
});
export type IssueKind = NameOf<typeof ISSUE_KIND>;

export const ISSUE_STATES = ['open', 'acknowledged', 'resolved', 'ignored'] as const;
export type IssueState = (typeof ISSUE_STATES)[number];
/** States that a person may set. */
export const SETTABLE_STATES = ['acknowledged', 'resolved', 'ignored'] as const;
export type SettableState = (typeof SETTABLE_STATES)[number];

/** The largest number of events that an issue lists. It lists the newest. */
export const ISSUE_EVENTS = 10;
/** The number of newest outcomes that decide whether an endpoint's verification fails. */
export const OUTCOMES = 20;
/** The time from an issue's resolution to its deletion, ms. */
export const RESOLVED_KEPT_MS = 90 * 86_400_000;
/** The subject of the shared issue for a destination's further statuses. */
export const OTHER_CODES = 'other';
/** The subject of a `verification` issue about a secret that came with a handshake. */
export const BROUGHT_SECRET = 'brought_secret';

/** The identity of an issue: its cause and its place. */
export interface IssueCause {
  kind: IssueKind;
  endpointKey: number;
  /** 0 for a kind without a destination. */
  destinationKey: number;
  /**
   * Distinguishes causes at one place. For `delivery` and `alert`, it is the error code (`timeout`,
   * `http_503` or `OTHER_CODES`). For `drift`, it is the event type. For `verification`, it is
   * `BROUGHT_SECRET` or empty. For other kinds, it is empty.
   */
  subject: string;
}

/** An issue as stored. Times are Unix ms. */
export interface Issue extends IssueCause {
  key: number;
  id: string;
  /** The account that owns the endpoint. For an `alert`, the account that owns the channel. */
  userId: string;
  state: IssueState | 'forming';
  /** Grows with each change. The store refuses a change of an older version. */
  version: number;
  /** The number of sightings since the issue opened. */
  count: number;
  firstAt: number;
  /** When the cause was last seen. For a resolved issue, the time of its resolution. */
  lastAt: number;
  /** Ids of events with the cause, newest first, at most `ISSUE_EVENTS`. */
  eventIds: readonly string[];
  /** The data of the issue's `core/issues/…-streak.ts`, at most 4 KiB of JSON. */
  streak: Readonly<Record<string, unknown>>;
  /** Successes since the last sighting. The store uses this to find issues that may close. */
  successes: number;
  /** The explanation by `diagnose`. Null until then. */
  explanation: { cause: string; suggestion: string } | null;
  /** The last state that channels reported. Null before the first message. */
  notified: 'open' | 'resolved' | null;
  /** When channels last reported the opening. Null before the first report. */
  notifiedAt: number | null;
  /** When channels should report the state. Null if there is nothing to report. */
  notifyAt: number | null;
}

/** An issue with the names for its title and its view. */
export interface NamedIssue {
  issue: Issue;
  /** Null for an `alert`, because the endpoint of a channel is internal. */
  endpoint: { id: string; name: string } | null;
  /** Null for an `alert` and for a kind without a destination. */
  destination: { id: string; url: string; name: string | null } | null;
  /** The channel of an `alert`. Null for other kinds. */
  channel: { id: string; type: string; target: string } | null;
}
