import { serveJobs } from '../core/threads/serve-jobs.ts';
import { EndpointJudge, judgeAnyhow } from './endpoint-judge.ts';
import type { JudgedJob, JudgeJob, VerifiedJob } from './judge-thread.ts';
import { finerVerdict } from './reasons/finer-verdict.ts';

/** A thread that judges large bodies: parsing one takes the time of many captures. */
serveJobs((job: JudgeJob, report: (verified: VerifiedJob) => void): JudgedJob => {
  const { opened, request, failed } = job;
  // A cloned buffer arrives as a plain byte array.
  const { buffer, byteOffset, byteLength } = request.body;
  const whole = { ...request, body: Buffer.from(buffer, byteOffset, byteLength) };
  if (failed) {
    return { verdict: finerVerdict(failed, opened, whole), problem: null, missingKey: null };
  }
  const judge = new EndpointJudge(opened);
  const isVerified = job.verification !== undefined;
  const missingKey = isVerified ? null : judge.missingKey(whole);
  const verification = isVerified ? (job.verification ?? null) : judge.verify(whole);
  // A request that lacks a key comes again with it.
  if (job.isWithoutRules || missingKey !== null) {
    return { verdict: judge.withoutRules(whole, verification), problem: null, missingKey };
  }
  report({ verification });
  return { ...judgeAnyhow(judge, whole, verification), missingKey };
});
