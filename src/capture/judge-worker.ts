import { serveJobs } from '../core/threads/serve-jobs.ts';
import { EndpointJudge, judgeAnyhow } from './endpoint-judge.ts';
import type { JudgedJob, JudgeJob } from './judge-thread.ts';
import { finerVerdict } from './reasons/finer-verdict.ts';

/** The thread that judges large bodies: parsing one takes the time of many captures. */
serveJobs(({ opened, request, isWithoutRules, reason, failed }: JudgeJob): JudgedJob => {
  // A cloned buffer arrives as a plain byte array.
  const { buffer, byteOffset, byteLength } = request.body;
  const whole = { ...request, body: Buffer.from(buffer, byteOffset, byteLength) };
  if (failed) {
    return { verdict: finerVerdict(failed, opened, whole), problem: null, missingKey: null };
  }
  const judge = new EndpointJudge(opened);
  const missingKey = judge.missingKey(whole);
  if (isWithoutRules)
    return { verdict: judge.withoutRules(whole, reason ?? 'too_slow'), problem: null, missingKey };
  return { ...judgeAnyhow(judge, whole), missingKey };
});
