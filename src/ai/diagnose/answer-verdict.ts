import type { ReceiverAnswer } from './answer.ts';
import { APP_RULES } from './app-rules.ts';
import type { Case, DestinationTarget, DiagnosedCause } from './case.ts';
import { HOST_RULES } from './host-rules.ts';
import { redirectVerdict } from './redirect-rule.ts';
import { signatureVerdict } from './signature-rules.ts';
import { statusVerdict } from './status-rules.ts';
import { TUNNEL_RULES } from './tunnel-rules.ts';

/** Applies the most specific rules first: the hosts before the service, then the service's words, then its status. */
export function answerVerdict(
  answer: ReceiverAnswer,
  target: DestinationTarget,
  subject: Case,
): DiagnosedCause {
  const before = [...TUNNEL_RULES, ...HOST_RULES].find(({ when }) => when(answer));
  if (before) return before.verdict(answer, target, subject);
  const signature = signatureVerdict(answer, target, subject);
  if (signature) return signature;
  const app = APP_RULES.find(({ when }) => when(answer));
  if (app) return app.verdict(answer, target, subject);
  const isRedirect = answer.status >= 300 && answer.status < 400;
  return isRedirect
    ? redirectVerdict(answer, target, subject)
    : statusVerdict(answer.status, target, subject);
}
