import { CodedNames, type NameOf } from '../coded-names.ts';

/**
 * An issue says that something is wrong: one issue for one cause at one place. What the
 * store has opens, feeds and closes issues; people acknowledge, resolve and ignore them.
 *
 *                    ┌──────── happens again ────────┐
 *                    ▼                               │
 *     forming ──▶ open ── a person ──▶ acknowledged ─┤
 *                  │ │                      │        │
 *                  │ └── closes by itself, or a person: resolved
 *                  └──── a person ──▶ ignored (it counts on, and stays silent)
 *
 * A forming issue is a streak that hasn't opened yet: a destination has failed, and no
 * delivery has died. Nobody sees it.
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

/** Newest events that an issue names. */
export const ISSUE_EVENTS = 10;
/** Outcomes that a judgement of an endpoint's verification reads. */
export const OUTCOMES = 20;
/** How long an issue is kept after it was resolved, ms. */
export const RESOLVED_KEPT_MS = 90 * 86_400_000;
/** The subject of one `delivery` or `alert` for all codes past the first ones of a destination. */
export const OTHER_CODES = 'other';
/** The subject of a `verification` about a secret that a handshake brought. */
export const BROUGHT_SECRET = 'brought_secret';

/** The place and the cause: an issue's identity. */
export interface IssueCause {
  kind: IssueKind;
  endpointKey: number;
  /** 0 for a kind that isn't about a destination. */
  destinationKey: number;
  /**
   * What tells causes at one place apart: the error code of a `delivery` or an `alert`
   * (`timeout`, `http_503`, or `OTHER_CODES`), the event type of a `drift`, `BROUGHT_SECRET`;
   * empty for the others.
   */
  subject: string;
}

/** An issue as it is stored. Times are Unix ms. */
export interface Issue extends IssueCause {
  key: number;
  id: string;
  /** The account that owns the endpoint; for an `alert`, the one that owns the channel. */
  userId: string;
  state: IssueState | 'forming';
  /** Grows with each change. A change based on another version is refused. */
  version: number;
  /** How often the cause was seen since it opened. */
  count: number;
  firstAt: number;
  /** When the cause was last seen; where it is resolved, when that was. It is kept from then on. */
  lastAt: number;
  /** Ids of the newest events that show the cause, newest first, at most `ISSUE_EVENTS`. */
  eventIds: readonly string[];
  /** What the fold of its kind keeps (`core/issues/…-streak.ts`). Bounded: at most 4 KiB as JSON. */
  streak: Readonly<Record<string, unknown>>;
  /** Successes since the cause was last seen. The store finds those that may close by it. */
  successes: number;
  /** The explanation; null until somebody has looked (`diagnose`). */
  explanation: { cause: string; suggestion: string } | null;
  /** The state that channels were last told; null before the first message. */
  notified: 'open' | 'resolved' | null;
  /** When its opening was last told. */
  notifiedAt: number | null;
  /** When channels are to be told of its state; null where there is nothing to tell. */
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
