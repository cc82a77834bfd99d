import { HookrelayError } from '../../core/errors.ts';
import type { HeaderPair } from '../../core/model.ts';
import { providerOf } from '../../providers/providers.ts';
import { unsignedRequest } from '../../providers/resign.ts';
import { withHeaders } from '../../providers/sampling/with-headers.ts';
import { STAMPS } from '../../providers/stamps.ts';

export interface RequestToSign {
  method: string;
  url: string;
  /** Names and values in turn. */
  headers: readonly string[];
  body: Buffer;
  eventId: string;
  nowMs: number;
}

export interface SigningAs {
  provider: string | null;
  /** Null means the provider's test secret. */
  secret: string | null;
  /** The hint for a provider that hookrelay can't sign as. */
  otherwise: string;
}

export interface SignedTrigger {
  /** Names and values in turn. The new proof replaces an old one. */
  headers: string[];
  /** The given body, with the proof if the provider puts it there. */
  body: Buffer;
  /** The header or the member of the body that has the proof. */
  place: string;
  secret: string;
  /** The public key that verifies the signature; null if the secret verifies it. */
  verificationKey: string | null;
}

/** Returns whether hookrelay can sign as a provider does, or send its token. */
export function canSignAs(provider: string): boolean {
  return providerOf(provider)?.signature?.signer !== undefined || STAMPS.has(provider);
}

/**
 * Uses the test secret if none is given. Throws `config_invalid` if hookrelay can't sign as this
 * provider, or if the secret is unusable.
 */
export function signAs(
  { headers, nowMs: now, ...request }: RequestToSign,
  { provider: name, secret: own, otherwise }: SigningAs,
): SignedTrigger {
  const provider = providerOf(name);
  const signer = provider?.signature?.signer;
  const stamp = STAMPS.get(name ?? '');
  if (!provider || !(signer ?? stamp)) throw cannotSignAs(name, otherwise);
  const secret = own ?? ((signer ?? stamp)?.testSecret as string);
  if (secret === '') throw new HookrelayError('config_invalid', 'the secret is empty');
  const unsigned = unsignedRequest({ ...request, now, rawHeaders: headers }, provider);
  const proof = signer
    ? { headers: signer.sign(unsigned, secret) }
    : stamp?.prove(unsigned, secret);
  const added: readonly HeaderPair[] = proof?.headers ?? [];
  return {
    headers: withHeaders(unsigned.headers ?? [], added).flat(),
    body: (proof && 'body' in proof && proof.body) || request.body,
    place: signer ? (added.at(-1)?.[0] ?? '') : (stamp?.place ?? ''),
    secret,
    verificationKey: signer?.verificationKey?.(secret) ?? null,
  };
}

export function cannotSignAs(provider: string | null, hint: string): HookrelayError {
  const message =
    provider === null
      ? "the event's provider is unknown, so it can't be signed"
      : `hookrelay can't sign as ${provider} does`;
  return new HookrelayError('config_invalid', message, { hint });
}
