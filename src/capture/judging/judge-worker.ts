import { serveJobs } from '../../core/threads/serve-jobs.ts';
import { EndpointJudge, judgeAnyhow, type OpenedSettings } from './endpoint-judge.ts';
import { finerVerdict } from './finer-verdict.ts';
import type { JudgedJob, JudgeJob, VerifiedJob } from './judge-thread.ts';

const MOST_JUDGES = 20;

/**
 * Judges by endpoint and settings version, the least recently used first. Compiling the rules takes
 * as long as judging a usual body.
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
  // If a key is missing, the server fetches it and sends the request again.
  if (job.isWithoutRules || missingKey !== null) {
    return { verdict: judge.bySender(whole, verification), problem: null, missingKey };
  }
  report({ verification });
  const judged = judgeAnyhow(judge, whole, verification, (keys) => report({ verification, keys }));
  return { ...judged, missingKey };
});
