import type { IssueAnswer } from '../../api/issues/issue-answer.ts';
import { type Colour, type Column, colour } from '../terminal/output.ts';
import { timeText } from '../terminal/value-text.ts';

const STATE_COLOURS: Partial<Record<IssueAnswer['state'], Colour>> = {
  open: 'red',
  acknowledged: 'yellow',
  resolved: 'green',
};

export const issueColumns: Column<IssueAnswer>[] = [
  { title: 'id', value: ({ id }) => id },
  {
    title: 'state',
    value: ({ state }) => state,
    paint: (text, { state }) => paintState(text, state),
  },
  { title: 'kind', value: ({ kind }) => kind, optional: true },
  { title: 'count', value: ({ count }) => String(count), optional: true, align: 'right' },
  { title: 'last', value: ({ last_at }) => timeText(last_at), optional: true },
  { title: 'title', value: ({ title }) => title, elastic: true },
];

export function issuePairs(issue: IssueAnswer): [string, string][] {
  const { id, kind, state, title, cause, suggestion, count, event_ids } = issue;
  return [
    ['title', title],
    ['id', id],
    ['state', state],
    ['kind', kind],
    ['cause', cause],
    // A step a line.
    ...suggestion
      .split('\n')
      .filter((step) => step !== '')
      .map((step, i): [string, string] => [i === 0 ? 'to do' : '', step]),
    ['count', String(count)],
    ['first', issue.first_at],
    ['last', issue.last_at],
    ...(issue.endpoint_id ? [['endpoint', issue.endpoint_id] as [string, string]] : []),
    ...(issue.destination_id ? [['destination', issue.destination_id] as [string, string]] : []),
    ...(event_ids.length > 0 ? [['events', event_ids.join(' ')] as [string, string]] : []),
  ];
}

export function paintState(text: string, state: IssueAnswer['state']): string {
  const name = STATE_COLOURS[state];
  return name ? colour(name, text) : text;
}
