import type { IssueAnswer } from '../../api/issues/issue-answer.ts';
import type { Column, Pair } from '../terminal/output.ts';
import { statusColumn, timeText } from '../terminal/value-text.ts';

export const issueColumns: Column<IssueAnswer>[] = [
  { title: 'id', value: ({ id }) => id },
  statusColumn('state', ({ state }) => state),
  { title: 'kind', value: ({ kind }) => kind, optional: true },
  { title: 'count', value: ({ count }) => String(count), optional: true, align: 'right' },
  { title: 'last', value: ({ last_at }) => timeText(last_at), optional: true },
  { title: 'title', value: ({ title }) => title, elastic: true },
];

export function issuePairs(issue: IssueAnswer): Pair[] {
  const { id, kind, state, title, cause, suggestion, count, event_ids } = issue;
  return [
    ['title', title],
    ['id', id],
    ['state', state],
    ['kind', kind],
    ['cause', cause],
    ...suggestion
      .split('\n')
      .filter((step) => step !== '')
      .map((step, i): Pair => [i === 0 ? 'to do' : '', step]),
    ['count', String(count)],
    ['first', issue.first_at],
    ['last', issue.last_at],
    ['endpoint', issue.endpoint_id],
    ['destination', issue.destination_id],
    ['events', event_ids.join(' ')],
  ];
}
