import type { ReplayStore } from '../../contract/replays.ts';
import { ClaimCollector } from '../../shared/queue/claim-collector.ts';
import type { ReplayVerdicts } from '../../shared/replays/judgement.ts';
import { passGate } from '../connection/locks.ts';
import { replayEvents } from './event-replays.ts';
import { jobPage, oneJob } from './job-rows.ts';
import { judge } from './judgement.ts';
import { ReplayJobs, type ReplayTools } from './replay-jobs.ts';
import { choiceOf } from './replay-targets.ts';

export function postgresReplays(tools: ReplayTools): ReplayStore {
  const { db, rounds, searches } = tools;
  const jobs = new ReplayJobs(tools);
  return {
    async replay(endpointKey, seq, now, terms, target = { to: 'all' }) {
      const choice = choiceOf(target);
      let judged: ReplayVerdicts | null = null;
      for (;;) {
        const replay = { endpointKey, seqs: [seq], choice, jobKey: null, judged, now };
        const { replayed, handover } = await db.transaction(async (sql) => {
          await passGate(sql, endpointKey);
          const handover = new ClaimCollector(terms);
          return { replayed: await replayEvents(sql, rounds, replay, handover), handover };
        });
        if (replayed === 'again') continue;
        if ('unjudged' in replayed) {
          judged = await judge(db, tools.judge, replayed.unjudged, Number.POSITIVE_INFINITY);
          continue;
        }
        rounds.noteOpened(replayed.opened);
        rounds.noteFreed(replayed.freed);
        const deliveries = replayed.made.get(seq);
        if (deliveries === undefined) return null;
        return { deliveries, claimed: handover.claimed, unclaimed: handover.unclaimed };
      }
    },
    count: (...args) => searches.count(...args),
    startJob: (...args) => jobs.start(...args),
    workOff: (...args) => jobs.workOff(...args),
    jobs: (...args) => db.snapshot((sql) => jobPage(sql, ...args)),
    job: (...args) => oneJob(db, ...args),
    cancelJob: (...args) => jobs.cancel(...args),
  };
}
