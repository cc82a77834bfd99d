import type { IssueKind, IssueState, NamedIssue } from './issue.ts';
import { causeOf, suggestionOf, titleOf } from './issue-words.ts';

/** An issue in the API and in messages of webhook channels. Times are ISO 8601. */
export interface IssueView {
  id: string;
  kind: IssueKind;
  state: IssueState;
  /** Null for an `alert`. */
  endpoint_id: string | null;
  /** Null for an `alert` and for a kind without a destination. */
  destination_id: string | null;
  /** What is wrong, on one line. */
  title: string;
  cause: string;
  /** What to do, one step a line. */
  suggestion: string;
  /** The number of sightings since the issue opened. */
  count: number;
  first_at: string;
  last_at: string;
  /** Ids of the newest events with the cause, newest first, at most `ISSUE_EVENTS`. */
  event_ids: string[];
}

/**
 * Returns an issue as people see it. The issue must not be forming, because nobody may see that
 * state.
 */
export function issueView(named: NamedIssue): IssueView {
  const { issue, endpoint, destination } = named;
  return {
    id: issue.id,
    kind: issue.kind,
    state: issue.state as IssueState,
    endpoint_id: endpoint?.id ?? null,
    destination_id: destination?.id ?? null,
    title: titleOf(named),
    cause: causeOf(named),
    suggestion: suggestionOf(named),
    count: issue.count,
    first_at: new Date(issue.firstAt).toISOString(),
    last_at: new Date(issue.lastAt).toISOString(),
    event_ids: [...issue.eventIds],
  };
}
