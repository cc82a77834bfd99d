import type { Issue, NamedIssue } from '../../../core/issues/issue.ts';
import type { ToldIssue } from '../../contract/issues.ts';
import { endpointSettingsOf } from '../endpoints/stored-endpoint.ts';
import { settingsOf } from '../stored-settings.ts';
import { issueStateCode, issueStateOf, kindCode, kindOf, toldCode, toldOf } from './issue-codes.ts';

/** `IssueStore.byDestinations` returns at most so many. */
export const MOST_BY_DESTINATIONS = 10_000;

/** A row of `issues`. */
export interface IssueRow extends ToldColumns {
  key: number;
  id: string;
  user_id: string;
  kind: number;
  endpoint_key: number;
  destination_key: number;
  subject: string;
  state: number;
  version: number;
  count: number;
  first_at: number;
  last_at: number;
  /** JSON. */
  event_ids: string;
  /** JSON. */
  course: string;
  successes: number;
}

/** What telling changes. Cause and suggestion are null together. */
export interface ToldColumns {
  cause: string | null;
  suggestion: string | null;
  told: number | null;
  told_at: number | null;
  tell_at: number | null;
}

/** Columns of `issues i`. */
export const ISSUE_COLUMNS = `i.key, i.id, i.user_id, i.kind, i.endpoint_key, i.destination_key,
  i.subject, i.state, i.version, i.count, i.first_at, i.last_at, i.event_ids, i.course,
  i.successes, i.cause, i.suggestion, i.told, i.told_at, i.tell_at`;

/** An issue with what names it: its endpoint and destination, or the channel of an `alert`. */
export interface NamedIssueRow extends IssueRow {
  endpoint_id: string | null;
  /** JSON. */
  endpoint_settings: string | null;
  destination_id: string | null;
  destination_url: string | null;
  /** JSON. */
  destination_settings: string | null;
  channel_id: string | null;
  channel_type: string | null;
  channel_target: string | null;
}

export function issueOf(row: IssueRow): Issue {
  const { cause, suggestion } = row;
  return {
    key: row.key,
    id: row.id,
    userId: row.user_id,
    kind: kindOf(row.kind),
    endpointKey: row.endpoint_key,
    destinationKey: row.destination_key,
    subject: row.subject,
    state: issueStateOf(row.state),
    version: row.version,
    count: row.count,
    firstAt: row.first_at,
    lastAt: row.last_at,
    eventIds: JSON.parse(row.event_ids) as string[],
    course: JSON.parse(row.course) as Issue['course'],
    successes: row.successes,
    explanation: cause === null || suggestion === null ? null : { cause, suggestion },
    told: toldOf(row.told),
    toldAt: row.told_at,
    tellAt: row.tell_at,
  };
}

/** The row of an issue. The store gives its key and its version. */
export function issueRowOf(
  issue: Omit<Issue, 'key' | 'version'>,
): Omit<IssueRow, 'key' | 'version'> {
  return {
    id: issue.id,
    user_id: issue.userId,
    kind: kindCode(issue.kind),
    endpoint_key: issue.endpointKey,
    destination_key: issue.destinationKey,
    subject: issue.subject,
    state: issueStateCode(issue.state),
    count: issue.count,
    first_at: issue.firstAt,
    last_at: issue.lastAt,
    event_ids: JSON.stringify(issue.eventIds),
    course: JSON.stringify(issue.course),
    successes: issue.successes,
    cause: issue.explanation?.cause ?? null,
    suggestion: issue.explanation?.suggestion ?? null,
    told: toldCode(issue.told),
    told_at: issue.toldAt,
    tell_at: issue.tellAt,
  };
}

/** The columns that telling changes; without an explanation, the stored one stays. */
export function toldColumns({
  told,
  toldAt,
  tellAt,
}: ToldIssue): Omit<ToldColumns, 'cause' | 'suggestion'> {
  return { told: toldCode(told), told_at: toldAt, tell_at: tellAt };
}

export function namedIssueOf(row: NamedIssueRow): NamedIssue {
  const issue = issueOf(row);
  const { endpoint_id, endpoint_settings, destination_id, destination_url } = row;
  const { destination_settings: settings, channel_id, channel_type, channel_target } = row;
  // The endpoint and the destination of a channel are internal.
  const isInternal = issue.kind === 'alert';
  return {
    issue,
    endpoint:
      isInternal || endpoint_id === null || endpoint_settings === null
        ? null
        : { id: endpoint_id, name: endpointSettingsOf(endpoint_settings).name },
    destination:
      isInternal || destination_id === null
        ? null
        : {
            id: destination_id,
            url: destination_url ?? '',
            name: settings === null ? null : settingsOf(settings).name,
          },
    channel:
      channel_id === null
        ? null
        : { id: channel_id, type: channel_type ?? '', target: channel_target ?? '' },
  };
}
