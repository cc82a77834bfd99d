import type { Verification } from './verification.ts';

/** The header by which a delivery tells what the endpoint's source says of its event. */
export const VERIFICATION_HEADER = 'x-hookrelay-verification';

/** The header's value: `verified; provider=stripe`, `failed; provider=stripe; reason=signature_missing`. */
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
