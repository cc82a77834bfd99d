import type { Issue, NamedIssue } from '../../../core/issues/issue.ts';
import type { NotifiedIssue } from '../../contract/issues.ts';
import { Columns, type RowOf } from '../columns.ts';
import { endpointSettingsOf } from '../endpoints/stored-endpoint.ts';
import { settingsOf } from '../stored-settings.ts';
import {
  issueStateCode,
  issueStateOf,
  kindCode,
  kindOf,
  notifiedCode,
  notifiedOf,
} from './issue-codes.ts';

/** The largest number of issues that `IssueStore.byDestinations` returns. */
export const MOST_BY_DESTINATIONS = 10_000;

export const ISSUE = new Columns(
  {
    key: 'bigint',
    id: 'text',
    userId: 'text',
    kind: 'smallint',
    endpointKey: 'bigint',
    destinationKey: 'bigint',
    subject: 'text',
    state: 'smallint',
    version: 'integer',
    count: 'bigint',
    firstAt: 'bigint',
    lastAt: 'bigint',
    /** JSON. */
    eventIds: 'text',
    /** JSON. */
    streak: 'text',
    successes: 'integer',
    /** Null exactly if `suggestion` is null. */
    cause: 'text?',
    suggestion: 'text?',
    notified: 'smallint?',
    notifiedAt: 'bigint?',
    notifyAt: 'bigint?',
  },
  { streak: 'course', notified: 'told', notifiedAt: 'told_at', notifyAt: 'tell_at' },
);
export type IssueRow = RowOf<typeof ISSUE>;

/** The columns of a new issue. The store assigns the key and the version. */
export const NEW_ISSUE = ISSUE.without('key', 'version');
const CAUSE = ['endpointKey', 'destinationKey', 'kind', 'subject'] as const;
export const ISSUE_CAUSE = ISSUE.only(...CAUSE);
/** The columns that a fold changes. */
export const CHANGED_ISSUE = NEW_ISSUE.without('id', ...CAUSE);
/** The key of an issue, and the columns that a notification changes. */
export const NOTIFIED_ISSUE = ISSUE.only(
  'key',
  'notified',
  'notifiedAt',
  'notifyAt',
  'cause',
  'suggestion',
).and({
  /** Whether the cause and the suggestion change. */
  isExplained: 'boolean',
});

/** The columns of a `NamedIssueRow`: issue `i`, endpoint `p`, destination `d`, channel `c`. */
export const NAMED_ISSUE_COLUMNS = `${ISSUE.read('i')}, p.id AS "endpointId",
  p.settings AS "endpointSettings", d.id AS "destinationId", d.url AS "destinationUrl",
  d.settings AS "destinationSettings", c.id AS "channelId", c.type AS "channelType",
  c.target AS "channelTarget"`;

/** An issue with its endpoint, destination and channel. Only an `alert` has a channel. */
export interface NamedIssueRow extends IssueRow {
  endpointId: string | null;
  /** JSON. */
  endpointSettings: string | null;
  destinationId: string | null;
  destinationUrl: string | null;
  /** JSON. */
  destinationSettings: string | null;
  channelId: string | null;
  channelType: string | null;
  channelTarget: string | null;
}

export function issueOf({ cause, suggestion, ...row }: IssueRow): Issue {
  return {
    ...row,
    kind: kindOf(row.kind),
    state: issueStateOf(row.state),
    eventIds: JSON.parse(row.eventIds) as string[],
    streak: JSON.parse(row.streak) as Issue['streak'],
    explanation: cause === null || suggestion === null ? null : { cause, suggestion },
    notified: notifiedOf(row.notified),
  };
}

export function issueRowOf({
  explanation,
  ...issue
}: Omit<Issue, 'key' | 'version'>): RowOf<typeof NEW_ISSUE> {
  return {
    ...issue,
    kind: kindCode(issue.kind),
    state: issueStateCode(issue.state),
    eventIds: JSON.stringify(issue.eventIds),
    streak: JSON.stringify(issue.streak),
    cause: explanation?.cause ?? null,
    suggestion: explanation?.suggestion ?? null,
    notified: notifiedCode(issue.notified),
  };
}

export function notifiedRowOf({
  explanation,
  ...issue
}: NotifiedIssue): RowOf<typeof NOTIFIED_ISSUE> {
  return {
    ...issue,
    notified: notifiedCode(issue.notified),
    isExplained: explanation !== undefined,
    cause: explanation?.cause ?? null,
    suggestion: explanation?.suggestion ?? null,
  };
}

export function namedIssueOf(row: NamedIssueRow): NamedIssue {
  const { endpointId, endpointSettings, destinationId, destinationUrl, ...unplaced } = row;
  const { destinationSettings: settings, channelId, channelType, channelTarget, ...own } = unplaced;
  const issue = issueOf(own);
  // The endpoint and the destination of a channel are internal. Don't show them.
  const isInternal = issue.kind === 'alert';
  return {
    issue,
    endpoint:
      isInternal || endpointId === null || endpointSettings === null
        ? null
        : { id: endpointId, name: endpointSettingsOf(endpointSettings).name },
    destination:
      isInternal || destinationId === null
        ? null
        : {
            id: destinationId,
            url: destinationUrl ?? '',
            name: settings === null ? null : settingsOf(settings).name,
          },
    channel:
      channelId === null
        ? null
        : { id: channelId, type: channelType ?? '', target: channelTarget ?? '' },
  };
}
