import { APP_RULES } from './app-rules.ts';
import { HOST_RULES } from './host-rules.ts';
import { INNER_RULES } from './inner-rules.ts';
import { misfitFinding } from './misfits.ts';
import { redirectFinding } from './redirect-rule.ts';
import type { Answered, Finding } from './rule.ts';
import { signatureFinding } from './signature-rules.ts';
import { statusFinding } from './status-rules.ts';
import { TUNNEL_RULES } from './tunnel-rules.ts';

/**
 * Returns the finding of the first rule that applies. The most specific rules come first: hosts in
 * front of the service, then the service's own words, then its status.
 */
export function answerFinding(answer: Answered): Finding<Answered> {
  const isRedirect = answer.status >= 300 && answer.status < 400;
  return (
    [...TUNNEL_RULES, ...HOST_RULES].find(({ when }) => when(answer)) ??
    signatureFinding(answer) ??
    [...APP_RULES, ...INNER_RULES].find(({ when }) => when(answer)) ??
    misfitFinding(answer) ??
    (isRedirect ? redirectFinding(answer) : statusFinding(answer))
  );
}
