import type { DestinationFilter } from '../../../core/rules/verdict.ts';
import type { ReplayVerdict } from '../../shared/judging/replay-rules.ts';
import { type JudgedBefore, ruleFor } from '../../shared/replays/replayed-event.ts';
import type { Database } from '../connection/database.ts';
import type { EventJudge } from '../judging/event-judge.ts';
import { judgeForReplay } from '../judging/judged-events.ts';
import type { Targets } from './replay-targets.ts';

/** Events that must be judged before they can be replayed. */
export interface EventsToJudge {
  /** The endpoint's `settings_version`. */
  version: number;
  seqs: number[];
  rules: DestinationFilter[];
}

export interface ReplayJudgement {
  version: number;
  /** By sequence number, without events that are gone. */
  verdicts: ReadonlyMap<number, ReplayVerdict>;
  /** The last event that was judged in time; null where all were. */
  resumeAfter: number | null;
}

/** What must be judged before these events are replayed; null where nothing must. */
export function unjudged(
  targets: Targets,
  events: readonly (JudgedBefore & { seq: number })[],
  judged: ReplayJudgement | null,
): EventsToJudge | null {
  if (targets.mode === 'once' || judged?.version === targets.version) return null;
  const { mode, destinations, version } = targets;
  const rules = new Map<string, DestinationFilter>();
  const needed = events.filter((event) => {
    const asked = destinations.flatMap((one) => ruleFor(mode, one, event) ?? []);
    for (const rule of asked) {
      rules.set(`${rule.destinationKey}${rule.filter === null ? '' : ' with its filter'}`, rule);
    }
    return asked.length > 0;
  });
  if (needed.length === 0) return null;
  return { version, seqs: needed.map(({ seq }) => seq), rules: [...rules.values()] };
}

/** The verdict on one event, as far as destinations judge it: one is for all events of a slice. */
export function verdictOn(
  event: JudgedBefore & { seq: number },
  targets: Exclude<Targets, { mode: 'once' }>,
  judged: ReplayJudgement | null,
): ReplayVerdict | undefined {
  const verdict = judged?.verdicts.get(event.seq);
  if (!verdict) return undefined;
  const judging = new Set(
    targets.destinations.flatMap((one) => {
      const rule = ruleFor(targets.mode, one, event);
      return rule?.filter == null ? [] : [one.key];
    }),
  );
  const dropped = verdict.dropped.filter((key) => judging.has(key));
  return { ...verdict, dropped, unjudged: judging.size > 0 ? verdict.unjudged : null };
}

/** Judges events in the rules worker, in order, for `forMs` at most; at least the first. */
export async function judge(
  db: Database,
  judge: EventJudge,
  { version, seqs, rules }: EventsToJudge,
  forMs: number,
): Promise<ReplayJudgement> {
  const { verdicts, resumeAfter } = await db.snapshot((sql) =>
    judgeForReplay(sql, judge, { seqs, rules, forMs }),
  );
  return { version, verdicts: new Map(verdicts.map((one) => [one.seq, one])), resumeAfter };
}
