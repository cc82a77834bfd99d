import type { ReplayJob } from '../../../api/answers/replay.ts';
import { countText, plural } from '../../text/format.ts';

type Progress = Pick<ReplayJob, 'matching' | 'queued' | 'delivered' | 'dead'>;

/** How far a bulk replay is: `3 events matched · 6 deliveries queued · 5 delivered · 1 gave up`. */
export function progressText({ matching, queued, delivered, dead }: Progress): string {
  return [
    `${plural(matching, 'event')} matched`,
    `${plural(queued, 'delivery', 'deliveries')} queued`,
    `${countText(delivered)} delivered`,
    `${countText(dead)} gave up`,
  ].join(' · ');
}
