import type { ReplayJobAnswer } from '../../api/replays/replay-answer.ts';
import { counted } from '../../core/text/words.ts';
import { type Colour, type Column, colour } from '../terminal/output.ts';
import { timeText } from '../terminal/value-text.ts';

const COLOURS: Record<ReplayJobAnswer['state'], Colour | null> = {
  running: 'cyan',
  done: null,
  cancelled: 'yellow',
};

function painted(text: string, state: ReplayJobAnswer['state']): string {
  const name = COLOURS[state];
  return name ? colour(name, text) : text;
}

export const replayJobColumns: Column<ReplayJobAnswer>[] = [
  { title: 'id', value: ({ id }) => id },
  {
    title: 'state',
    value: ({ state }) => state,
    paint: (text, { state }) => painted(text, state),
  },
  { title: 'matching', value: numberOf('matching'), align: 'right', optional: true },
  { title: 'queued', value: numberOf('queued'), align: 'right' },
  { title: 'delivered', value: numberOf('delivered'), align: 'right' },
  { title: 'dead', value: numberOf('dead'), align: 'right' },
  { title: 'started', value: ({ created_at }) => timeText(created_at), optional: true },
];

function numberOf(
  name: 'matching' | 'queued' | 'delivered' | 'dead',
): (job: ReplayJobAnswer) => string {
  return (job) => job[name].toLocaleString('en-US');
}

export function replayJobPairs(job: ReplayJobAnswer): [string, string][] {
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

/** `running: 40 of 120 deliveries delivered, 2 dead`. */
export function progressText({ state, queued, delivered, dead }: ReplayJobAnswer): string {
  const text = `${state}: ${delivered.toLocaleString('en-US')} of ${counted(queued, 'delivery')} delivered`;
  return dead === 0 ? text : `${text}, ${dead.toLocaleString('en-US')} dead`;
}
