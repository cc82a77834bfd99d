import type { ReplayJobAnswer } from '../../api/replays/replay-answer.ts';
import { counted, formatCount } from '../../core/text/words.ts';
import type { Column, Pair } from '../terminal/output.ts';
import { statusColumn, timeText } from '../terminal/value-text.ts';

export const replayJobColumns: Column<ReplayJobAnswer>[] = [
  { title: 'id', value: ({ id }) => id },
  statusColumn('state', ({ state }) => state),
  { title: 'matching', value: numberOf('matching'), align: 'right', optional: true },
  { title: 'queued', value: numberOf('queued'), align: 'right' },
  { title: 'delivered', value: numberOf('delivered'), align: 'right' },
  { title: 'dead', value: numberOf('dead'), align: 'right' },
  { title: 'started', value: ({ created_at }) => timeText(created_at), optional: true },
];

function numberOf(
  name: 'matching' | 'queued' | 'delivered' | 'dead',
): (job: ReplayJobAnswer) => string {
  return (job) => formatCount(job[name]);
}

export function replayJobPairs(job: ReplayJobAnswer): Pair[] {
  const { id, state, matching, queued, delivered, dead, created_at } = job;
  return [
    ['id', id],
    ['state', state],
    ['matching', counted(matching, 'event')],
    ['queued', counted(queued, 'delivery')],
    ['delivered', counted(delivered, 'delivery')],
    ['dead', counted(dead, 'delivery')],
    ['started', created_at],
  ];
}

/** Returns a text such as `running: 40 of 120 deliveries delivered, 2 dead`. */
export function progressText({ state, queued, delivered, dead }: ReplayJobAnswer): string {
  const text = `${state}: ${formatCount(delivered)} of ${counted(queued, 'delivery')} delivered`;
  return dead === 0 ? text : `${text}, ${formatCount(dead)} dead`;
}
