import { DESTINATION_SECRET, type HandlerPlan } from './plan.ts';

const OWN_SECRET = "the secret of hookrelay's destination";

/**
 * Returns the first line of a handler's comment: `Receives GitHub's webhooks, delivered by
 * hookrelay.`
 */
export function senderLine(begin: string, { sender }: HandlerPlan): string {
  return `${begin} ${sender ? `${sender}'s webhooks` : 'webhooks'}, delivered by hookrelay.`;
}

/** Returns comment lines about the environment variables that a handler needs. */
export function environment({ own, secretVariable }: HandlerPlan): string[] {
  if (!own) return [`${secretVariable}: ${OWN_SECRET}.`];
  const lines = [`${secretVariable}: ${own.secret.name}.`];
  if (own.scheme.time) {
    lines.push(`${DESTINATION_SECRET}: ${OWN_SECRET}, for retries and replays.`);
  }
  return lines;
}
