import type { Case, Target } from './case.ts';

/* Steps that several rules share. Each ends with a command, or with several between `;`. */

export const replayStep = ({ event }: Case): string =>
  `Then deliver it again: hookrelay replay ${event.id}`;

export const bodyStep = ({ event }: Case): string =>
  `Read the whole answer: hookrelay events attempts ${event.id} --json | jq -r '.[-1].response_body'`;

export const resendStep = ({ quotedUrl }: Target, { event }: Case): string =>
  `Send it the exact request by hand, past the queue: hookrelay trigger --from-event ${event.id} --to ${quotedUrl}`;

export const debugStep = ({ event, endpoint }: Case): string =>
  `Debug the handler on your machine: hookrelay listen 3000 --endpoint ${endpoint.id}, then hookrelay replay ${event.id}`;

export const forwardStep = ({ endpoint }: Case): string =>
  `For a service on your own machine no tunnel is needed: hookrelay listen 3000 --endpoint ${endpoint.id}`;

/** Replaces the destination by one with another URL. The new one keeps the secret, if there is one. */
export function moveStep(
  say: string,
  quotedUrl: string,
  { destinationId, isSigned }: Target,
  { endpoint }: Case,
): string {
  const secret = isSigned ? ' --secret-stdin <secret.txt' : '';
  return `${say}: hookrelay destinations add ${endpoint.id} ${quotedUrl}${secret}; hookrelay destinations remove ${endpoint.id} ${destinationId}`;
}

/** Replaces the destination by one with the same URL and a new signing secret. */
export function signStep(
  say: string,
  { quotedUrl, destinationId }: Target,
  { endpoint }: Case,
): string {
  return `${say}: hookrelay destinations add ${endpoint.id} ${quotedUrl} --generate-secret; hookrelay destinations remove ${endpoint.id} ${destinationId}`;
}
