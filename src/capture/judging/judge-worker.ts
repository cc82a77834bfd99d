import { serveJobs } from '../../core/threads/serve-jobs.ts';
import { EndpointJudge, judgeAnyhow, type OpenedSettings } from './endpoint-judge.ts';
import { finerVerdict } from './finer-verdict.ts';
import type { JudgedJob, JudgeJob, VerifiedJob } from './judge-thread.ts';

/** How many judges are kept in memory. */
const MOST_JUDGES = 20;

/**
 * The judges, by endpoint and version of its settings, the last used at the end. They are kept
 * because compiling the rules takes as long as judging a usual body.
 */
const judges = new Map<string, EndpointJudge>();

function judgeOf(opened: OpenedSettings, isWithoutRules: boolean): EndpointJudge {
  const { endpointId, version } = opened.settings;
  const name = `${endpointId} ${version} ${isWithoutRules}`;
  const judge = judges.get(name) ?? new EndpointJudge(opened);
  judges.delete(name);
  judges.set(name, judge);
  const [oldest] = judges.keys();
  if (judges.size > MOST_JUDGES && oldest !== undefined) judges.delete(oldest);
  return judge;
}

/** Judges large bodies in a thread, because parsing one takes as long as many captures. */
serveJobs((job: JudgeJob, report: (verified: VerifiedJob) => void): JudgedJob => {
  const { opened, request, failed } = job;
  // A cloned buffer arrives as a plain byte array.
  const { buffer, byteOffset, byteLength } = request.body;
  const whole = { ...request, body: Buffer.from(buffer, byteOffset, byteLength) };
  if (failed) {
    return { verdict: finerVerdict(failed, opened, whole), problem: null, missingKey: null };
  }
  const judge = judgeOf(opened, job.isWithoutRules);
  const isVerified = job.verification !== undefined;
  const missingKey = isVerified ? null : judge.missingKey(whole);
  const verification = isVerified ? (job.verification ?? null) : judge.verify(whole);
  // If a key is missing, the server fetches it and sends the request here again.
  if (job.isWithoutRules || missingKey !== null) {
    return { verdict: judge.bySender(whole, verification), problem: null, missingKey };
  }
  report({ verification });
  const judged = judgeAnyhow(judge, whole, verification, (keys) => report({ verification, keys }));
  return { ...judged, missingKey };
});
