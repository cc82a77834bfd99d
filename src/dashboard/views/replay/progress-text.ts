import type { ReplayJobAnswer } from '../../../api/replays/replay-answer.ts';
import { counted, formatCount } from '../../../core/text/words.ts';

type Progress = Pick<ReplayJobAnswer, 'matching' | 'queued' | 'delivered' | 'dead'>;

/** Returns the progress: `3 events matched · 6 deliveries queued · 5 delivered · 1 gave up`. */
export function progressText({ matching, queued, delivered, dead }: Progress): string {
  return [
    `${counted(matching, 'event')} matched`,
    `${counted(queued, 'delivery', 'deliveries')} queued`,
    `${formatCount(delivered)} delivered`,
    `${formatCount(dead)} gave up`,
  ].join(' · ');
}
