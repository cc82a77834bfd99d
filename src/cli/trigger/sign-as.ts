import { HookrelayError } from '../../core/errors.ts';
import { providerOf } from '../../providers/providers.ts';
import { unsignedRequest } from '../../providers/resign.ts';

export interface RequestToSign {
  method: string;
  /** Where it goes, with path and query. */
  url: string;
  /** Name, value, name, value … */
  headers: readonly string[];
  body: Buffer;
  eventId: string;
  nowMs: number;
}

export interface SignedRequestHeaders {
  /** Name, value, name, value …, with the new signature in place of the old one. */
  headers: string[];
  /** The public key, for signatures that the secret doesn't verify. Otherwise null. */
  verificationKey: string | null;
}

/**
 * Signs a captured request with a person's own secret, as its provider does. Throws
 * `config_invalid` for a provider that hookrelay can't sign as, and for an unusable secret.
 */
export function signAs(
  { headers, nowMs: now, ...request }: RequestToSign,
  { provider: name, secret }: { provider: string | null; secret: string },
): SignedRequestHeaders {
  const provider = providerOf(name);
  const signer = provider?.signature?.signer;
  if (!provider || !signer) {
    const message =
      name === null
        ? "the event's provider is unknown, so it can't be signed"
        : `hookrelay can't sign as ${name} does`;
    throw new HookrelayError('config_invalid', message, {
      hint: 'without --secret the event is sent with its own signature',
    });
  }
  const signature = signer.sign(
    unsignedRequest({ ...request, now, rawHeaders: headers }, provider),
    secret,
  );
  const replaced = new Set(signature.map(([key]) => key.toLowerCase()));
  const kept = headers.filter((_, i) => {
    return !replaced.has((headers[i - (i % 2)] as string).toLowerCase());
  });
  return {
    headers: [...kept, ...signature.flat()],
    verificationKey: signer.verificationKey?.(secret) ?? null,
  };
}
