import { Turns } from '../../../core/turns/turns.ts';
import type { ReplayResult, ReplayStore } from '../../contract/replays.ts';
import { type ReplayVerdicts, replayVerdicts } from '../../shared/replays/judgement.ts';
import type { Writes } from '../reader-thread/reads.ts';
import { EventReplays, type OwnedEventsToJudge, ReplayEffects } from './event-replays.ts';
import { ReplayJobs, type ReplayTools } from './replay-jobs.ts';
import { ReplayTargets } from './replay-targets.ts';

export function sqliteReplays(tools: ReplayTools): Writes<'replays'> {
  const { db, writer, rounds, reads } = tools;
  const events = new EventReplays(db, rounds);
  const targets = new ReplayTargets(db);
  const jobs = new ReplayJobs(tools, events, targets);
  /** Only one judgement runs at a time. A body of 25 MiB holds up the reads of all accounts. */
  const turns = new Turns({ slots: 1, slotsPerKey: 1 });

  /** Runs in the writer's transaction. */
  function replayNow(
    judged: ReplayVerdicts | null,
    ...[endpointKey, seq, now, terms, target = { to: 'all' }]: Parameters<ReplayStore['replay']>
  ): ReplayResult | OwnedEventsToJudge | null {
    if (!events.has(endpointKey, seq)) return null;
    const effects = new ReplayEffects(terms);
    let deliveries: number;
    if (target.to === 'url') {
      const destination = targets.oneOff(endpointKey, target, now);
      const once = { endpointKey, now, jobKey: null };
      deliveries = events.replayOnce(once, seq, destination, effects);
    } else {
      const isNamed = target.to === 'destinations';
      const replay = {
        ...({ endpointKey, now, jobKey: null, mode: isNamed ? 'named' : 'all' } as const),
        destinations: isNamed ? targets.named(endpointKey, target.ids) : targets.all(endpointKey),
      };
      const unjudged = events.unjudged(replay, [seq], judged);
      if (unjudged) return unjudged;
      deliveries = events.replay(replay, seq, judged, effects) ?? 0;
    }
    events.write(effects);
    const { claimed, unclaimed } = effects.handover;
    return { deliveries, claimed, unclaimed };
  }

  return {
    async replay(endpointKey, ...args) {
      for (let judged: ReplayVerdicts | null = null; ; ) {
        const result = await writer.write(() => replayNow(judged, endpointKey, ...args));
        if (result === null || 'deliveries' in result) return result;
        const { userId, version, seqs, rules } = result;
        const found = await turns.run(userId, () =>
          reads.replayed.judge(endpointKey, seqs, rules, Number.POSITIVE_INFINITY),
        );
        judged = replayVerdicts(version, found);
      }
    },
    startJob: (...args) => jobs.start(...args),
    workOff: (...args) => jobs.workOff(...args),
    jobs: (...args) => jobs.list(...args),
    job: (...args) => jobs.find(...args),
    cancelJob: (...args) => jobs.cancel(...args),
  };
}
