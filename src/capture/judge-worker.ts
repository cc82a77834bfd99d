import type { RuledRequest } from '../core/rules/request-parts.ts';
import type { JudgingSettings, Verdict } from '../core/rules/verdict.ts';
import { serveJobs } from '../core/threads/serve-jobs.ts';
import { EndpointRules } from './endpoint-rules.ts';

/** A request to judge, with the filters to judge it by. */
export interface JudgeRequest {
  filters: JudgingSettings;
  request: RuledRequest;
}

/** The thread that judges large bodies: parsing one takes the time of many captures. */
serveJobs(({ filters, request }: JudgeRequest): Verdict => {
  // A cloned buffer arrives as a plain byte array.
  const { buffer, byteOffset, byteLength } = request.body;
  const body = Buffer.from(buffer, byteOffset, byteLength);
  return new EndpointRules(filters).judge({ ...request, body });
});
