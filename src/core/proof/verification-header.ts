import type { Verification } from './verification.ts';

/** The header that tells a destination whether the event's sender is verified. */
export const VERIFICATION_HEADER = 'x-hookrelay-verification';

/** Returns the header's value, such as `failed; provider=stripe; reason=signature_missing`. */
export function verificationText({
  state,
  provider,
  reason,
}: Pick<Verification, 'state' | 'provider' | 'reason'>): string {
  let text: string = state;
  if (provider !== null) text += `; provider=${provider}`;
  if (reason !== null) text += `; reason=${reason}`;
  return text;
}
