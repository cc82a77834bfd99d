import type { GenericSchema, InferInput, InferOutput } from 'valibot';
import type { AUDIT_CALLS } from '../accounts/audit-calls.ts';
import type { AUTH_CALLS, SIGN_IN_CALLS } from '../accounts/auth-calls.ts';
import type { SESSION_CALLS } from '../accounts/session-calls.ts';
import type { TOKEN_CALLS } from '../accounts/token-calls.ts';
import type { AI_CALLS } from '../ai/ai-calls.ts';
import type { CHANNEL_CALLS } from '../channels/channel-calls.ts';
import type { ParamsOf } from '../contract.ts';
import type { DASHBOARD_SESSION_CALLS } from '../dashboard/dashboard-session-calls.ts';
import type { DELIVERY_CALLS } from '../deliveries/delivery-calls.ts';
import type { DESTINATION_CALLS } from '../destinations/destination-calls.ts';
import type { DESTINATION_CONTROL_CALLS } from '../destinations/destination-control-calls.ts';
import type { ENDPOINT_CALLS } from '../endpoints/endpoint-calls.ts';
import type { STATS_CALLS } from '../endpoints/stats-calls.ts';
import type { EventSummaryAnswer } from '../events/event-answer.ts';
import type { EVENT_CALLS } from '../events/event-calls.ts';
import type { EVENT_LIST_CALLS } from '../events/event-list-calls.ts';
import type { REJECTED_CALLS } from '../events/rejected-calls.ts';
import type { ISSUE_CALLS } from '../issues/issue-calls.ts';
import type { Page } from '../list-page-answer.ts';
import type { OVERVIEW_CALLS } from '../overview/overview-calls.ts';
import type { REPLAY_CALLS } from '../replays/replay-calls.ts';
import type { RULE_CALLS } from '../rules/rule-calls.ts';
import type { RULE_TRIAL_CALLS } from '../rules/rule-trial-calls.ts';
import type { SAMPLE_CALLS } from '../sources/sample-calls.ts';
import type { SOURCE_CALLS } from '../sources/source-calls.ts';
import type { STREAM_CALLS } from '../streams/stream-calls.ts';
import type { SYSTEM_CALLS } from '../system/system-calls.ts';
import type { TYPE_CALLS } from '../types/type-calls.ts';

type Contracts = typeof AI_CALLS &
  typeof AUDIT_CALLS &
  typeof AUTH_CALLS &
  typeof CHANNEL_CALLS &
  typeof DASHBOARD_SESSION_CALLS &
  typeof DELIVERY_CALLS &
  typeof DESTINATION_CALLS &
  typeof DESTINATION_CONTROL_CALLS &
  typeof ENDPOINT_CALLS &
  typeof EVENT_CALLS &
  typeof EVENT_LIST_CALLS &
  typeof ISSUE_CALLS &
  typeof OVERVIEW_CALLS &
  typeof REJECTED_CALLS &
  typeof REPLAY_CALLS &
  typeof RULE_CALLS &
  typeof RULE_TRIAL_CALLS &
  typeof SAMPLE_CALLS &
  typeof SESSION_CALLS &
  typeof SIGN_IN_CALLS &
  typeof SOURCE_CALLS &
  typeof STATS_CALLS &
  typeof STREAM_CALLS &
  typeof SYSTEM_CALLS &
  typeof TOKEN_CALLS &
  typeof TYPE_CALLS;

/** The input and the answer of each call of the API and of the page's session. */
export type Api = { [K in keyof Contracts]: Wire<K, Contracts[K]> };

interface Wire<K, C> {
  params: Record<ParamsOf<K>, string>;
  query: K extends SummaryList ? QueryOf<C> & { view: 'summary' } : QueryOf<C>;
  /** Undefined if the call takes no body. */
  body: C extends { body: infer S extends GenericSchema } ? InferInput<S> : undefined;
  response: K extends SummaryList ? Page<EventSummaryAnswer> : Success<C>;
}

/** Lists with two views of an event. The project's clients always ask for summaries. */
type SummaryList = 'GET /api/events' | 'GET /api/endpoints/{id}/events';

type QueryOf<C> = C extends { query: infer S extends GenericSchema }
  ? { [N in keyof InferInput<S>]: QueryValue<InferInput<S>[N]> }
  : Record<never, never>;

/** A value in a query, which is sent as text. An empty text counts as absent. */
type QueryValue<T> =
  | T
  | ''
  | undefined
  | (string extends T
      ? number
      : 'true' | 'false' extends T
        ? boolean
        : 'true' extends T
          ? true
          : never);

type Success<C> =
  | (C extends { response: infer S extends GenericSchema }
      ? InferOutput<S>
      : C extends { mediaType: string }
        ? Uint8Array
        : undefined)
  | (C extends { also: { status: 200; response: infer S extends GenericSchema } }
      ? InferOutput<S>
      : never);
