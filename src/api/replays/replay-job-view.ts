import type { ReplayJob } from '../../store/contract/replays.ts';
import { isoTime } from '../iso-time.ts';
import type { ReplayJobAnswer } from './replay-answer.ts';

export function replayJobView(job: ReplayJob): ReplayJobAnswer {
  return {
    id: job.id,
    state: job.state,
    matching: job.matching,
    queued: job.queued,
    delivered: job.delivered,
    dead: job.dead,
    created_at: isoTime(job.createdAt),
  };
}
