import type { ChannelAnswer } from '../../api/channels/channel-answer.ts';
import { counted } from '../../core/text/words.ts';
import type { Column, Pair } from '../terminal/output.ts';
import { timeText } from '../terminal/value-text.ts';

export const channelColumns: Column<ChannelAnswer>[] = [
  { title: 'id', value: ({ id }) => id },
  { title: 'type', value: ({ type }) => type },
  { title: 'to', value: targetText, elastic: true },
  { title: 'state', value: stateText },
  { title: 'tells', value: filterText, elastic: true },
  {
    title: 'last message',
    value: ({ last_delivery: last }) => (last ? `${last.state} ${timeText(last.at)}` : 'none'),
    optional: true,
  },
];

export function channelPairs(channel: ChannelAnswer): Pair[] {
  const { id, type, secret, last_delivery: last, created_at } = channel;
  return [
    ['id', id],
    ['type', type],
    ['to', targetText(channel)],
    ['secret', secret],
    ['state', stateText(channel)],
    ['tells', filterText(channel)],
    ['created', created_at],
    ['last message', last ? `${last.state}, ${last.at}` : 'none'],
    ['error', last?.error && `${last.error.code}: ${last.error.message}`],
  ];
}

export function targetText({ url, to }: ChannelAnswer): string {
  return url ?? to ?? '';
}

function stateText({ confirmed, health }: ChannelAnswer): string {
  if (!confirmed) return 'unconfirmed';
  return health.state === 'open' ? 'held back' : health.state;
}

function filterText({ kinds, endpoint_ids }: ChannelAnswer): string {
  const what = kinds === null ? 'all issues' : kinds.join(', ');
  if (endpoint_ids === null) return what;
  const where =
    endpoint_ids.length === 1 ? endpoint_ids[0] : counted(endpoint_ids.length, 'endpoint');
  return `${what} of ${where}`;
}
