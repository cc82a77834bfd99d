import { HookrelayError } from '../../core/errors.ts';
import type { EndpointStore } from '../../store/contract/endpoints.ts';
import { invalidField } from '../invalid-input.ts';

/** Throws `smtp_not_configured` if the server has no mail server. */
export function requireMail(sendsMail: boolean): void {
  if (sendsMail) return;
  throw new HookrelayError('smtp_not_configured', 'this server sends no email', {
    hint: 'the operator sets a mail server: hookrelay serve --smtp-url … --smtp-from …',
  });
}

/** Throws `invalid_input` for an endpoint that isn't the account's. */
export async function requireOwnEndpoints(
  endpoints: Pick<EndpointStore, 'find'>,
  userId: string,
  ids: readonly string[],
): Promise<void> {
  for (const [i, id] of ids.entries()) {
    if (await endpoints.find(userId, id)) continue;
    throw invalidField(`endpoint_ids.${i}`, 'is not an endpoint of this account');
  }
}
