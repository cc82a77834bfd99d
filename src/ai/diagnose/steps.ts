import type { Case, CaseDelivery } from './case.ts';
import type { Failed, Text } from './rule.ts';

/* Steps that several rules share. Each ends with a command, or with several between `;`. */

export const bodyStep = ({ event }: Failed): string =>
  `Read the whole answer: hookrelay events attempts ${event.id} --json | jq -r '.[-1].response_body'`;

export const resendStep = ({ quotedUrl, event }: Failed): string =>
  `Send it the exact request by hand, past the queue: hookrelay trigger --from-event ${event.id} --to ${quotedUrl}`;

export const debugStep = ({ event, endpoint }: Failed): string =>
  `Debug the handler on your machine: hookrelay listen 3000 --endpoint ${endpoint.id}, then hookrelay replay ${event.id}`;

export const forwardStep = ({ endpoint }: Failed): string =>
  `For a service on your own machine no tunnel is needed: hookrelay listen 3000 --endpoint ${endpoint.id}`;

/** Returns the step `SAY: hookrelay destinations COMMAND ENDPOINT DESTINATION FLAGS`. */
export function destinationStep(
  { endpoint, destinationId }: Pick<Case, 'endpoint'> & { destinationId: string },
  say: string,
  command: string,
  flags = '',
): string {
  const line = `${say}: hookrelay destinations ${command} ${endpoint.id} ${destinationId}`;
  return flags === '' ? line : `${line} ${flags}`;
}

/** Returns the step that changes the destination's settings. */
export const editStep =
  (say: string, flags: Text<Failed>) =>
  (failed: Failed): string =>
    destinationStep(failed, say, 'edit', typeof flags === 'string' ? flags : flags(failed));

/** Returns the step that gives the destination another URL. Waiting deliveries go there too. */
export const moveStep = (say: string, quotedUrl = "'https://…'") =>
  editStep(say, `--new-url ${quotedUrl}`);

/** Returns the step that changes the destination's URL to `https:`. */
export const httpsStep = (say: string) =>
  editStep(say, ({ quotedUrl }) => `--new-url ${quotedUrl.replace("'http:", "'https:")}`);

/**
 * Returns the step that gives the destination a new signing secret. If the destination has a
 * secret, both sign for a day.
 */
export const signStep =
  (say: string) =>
  (failed: Failed): string =>
    failed.isSigned
      ? destinationStep(failed, say, 'rotate-secret')
      : destinationStep(failed, say, 'edit', '--generate-secret');

export const headerStep = editStep(
  'If the service wants a token in a header, put that header into a file, and set it',
  '--header-file headers.txt',
);

export const retryCommand = (say: string, { id }: Pick<CaseDelivery, 'id'>): string =>
  `${say}: hookrelay deliveries retry ${id}`;

export const cancelCommand = (say: string, { id }: Pick<CaseDelivery, 'id'>): string =>
  `${say}: hookrelay deliveries cancel ${id}`;
