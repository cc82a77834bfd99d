import type { Case, CaseDelivery, DestinationTarget } from './case.ts';

/* Steps that several rules share. Each ends with a command, or with several between `;`. */

export const replayStep = ({ event }: Case): string =>
  `Then deliver it again: hookrelay replay ${event.id}`;

export const bodyStep = ({ event }: Case): string =>
  `Read the whole answer: hookrelay events attempts ${event.id} --json | jq -r '.[-1].response_body'`;

export const resendStep = ({ quotedUrl }: DestinationTarget, { event }: Case): string =>
  `Send it the exact request by hand, past the queue: hookrelay trigger --from-event ${event.id} --to ${quotedUrl}`;

export const debugStep = ({ event, endpoint }: Case): string =>
  `Debug the handler on your machine: hookrelay listen 3000 --endpoint ${endpoint.id}, then hookrelay replay ${event.id}`;

export const forwardStep = ({ endpoint }: Case): string =>
  `For a service on your own machine no tunnel is needed: hookrelay listen 3000 --endpoint ${endpoint.id}`;

/** `SAY: hookrelay destinations COMMAND ENDPOINT DESTINATION FLAGS`. */
export function destinationCommand(
  say: string,
  [command, flags]: [command: string, flags?: string],
  destinationId: string,
  { endpoint }: Case,
): string {
  const words = ['hookrelay destinations', command, endpoint.id, destinationId];
  return `${say}: ${[...words, ...(flags ? [flags] : [])].join(' ')}`;
}

export const retryCommand = (say: string, { id }: Pick<CaseDelivery, 'id'>): string =>
  `${say}: hookrelay deliveries retry ${id}`;

export const cancelCommand = (say: string, { id }: Pick<CaseDelivery, 'id'>): string =>
  `${say}: hookrelay deliveries cancel ${id}`;

/** Credentials of the service, as a header that each attempt carries. */
export const headerStep = ({ destinationId }: DestinationTarget, subject: Case): string =>
  destinationCommand(
    'If the service wants a token in a header, put that header into a file, and set it',
    ['edit', '--header-file headers.txt'],
    destinationId,
    subject,
  );

/** Gives the destination another URL. Deliveries that wait go there too. */
export const moveStep = (
  say: string,
  quotedUrl: string,
  { destinationId }: DestinationTarget,
  subject: Case,
): string => destinationCommand(say, ['edit', `--new-url ${quotedUrl}`], destinationId, subject);

/** Gives the destination a new signing secret. Where it has one, both sign for a day. */
export const signStep = (
  say: string,
  { destinationId, isSigned }: DestinationTarget,
  subject: Case,
): string =>
  isSigned
    ? destinationCommand(say, ['rotate-secret'], destinationId, subject)
    : destinationCommand(say, ['edit', '--generate-secret'], destinationId, subject);
