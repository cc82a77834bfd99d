import type { JudgedEvents } from '../../shared/judging/replay-rules.ts';
import {
  type EventsToJudge,
  type ReplayVerdicts,
  replayVerdicts,
} from '../../shared/replays/judgement.ts';
import type { Database } from '../connection/database.ts';
import type { EventJudge } from '../judging/event-judge.ts';
import { judgeForReplay } from '../judging/judged-events.ts';

/** Judges events in the judging thread, oldest first. See `judgeForReplay`. */
export async function judge(
  db: Database,
  judge: EventJudge,
  { version, seqs, rules }: EventsToJudge,
  forMs: number,
): Promise<ReplayVerdicts & Pick<JudgedEvents, 'resumeAfter'>> {
  const judged = await db.snapshot((sql) => judgeForReplay(sql, judge, { seqs, rules, forMs }));
  return { ...replayVerdicts(version, judged), resumeAfter: judged.resumeAfter };
}
