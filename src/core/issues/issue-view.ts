import type { IssueKind, IssueState, NamedIssue } from './issue.ts';
import { causeOf, suggestionOf, titleOf } from './issue-words.ts';

/** An issue as the API and the messages of webhook channels show it. Times are ISO 8601. */
export interface IssueView {
  id: string;
  kind: IssueKind;
  state: IssueState;
  /** Null for an `alert`. */
  endpoint_id: string | null;
  /** Null for a kind that isn't about a destination, and for an `alert`. */
  destination_id: string | null;
  /** What is wrong, on one line. */
  title: string;
  cause: string;
  /** What to do, one step a line. */
  suggestion: string;
  /** How often the cause was seen since it opened. */
  count: number;
  first_at: string;
  last_at: string;
  /** Ids of the newest events that show the cause, newest first, at most 10. */
  event_ids: string[];
}

/** Returns an issue as people see it. Not for a forming issue, which nobody may see. */
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
