import { HookrelayError } from '../../core/errors.ts';
import type { EndpointStore } from '../../store/contract/endpoints.ts';
import { invalidField } from '../invalid-input.ts';

export function requireMail(sendsMail: boolean): void {
  if (sendsMail) return;
  throw new HookrelayError('smtp_not_configured', 'this server sends no email', {
    hint: 'the operator sets a mail server: hookrelay serve --smtp-url … --smtp-from …',
  });
}

/** Throws `invalid_input` if the account has no endpoint with one of the ids. */
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
