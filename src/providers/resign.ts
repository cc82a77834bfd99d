import { HookrelayError } from '../core/errors.ts';
import type { HeaderPair } from '../core/model.ts';
import type { Source } from '../core/proof/source.ts';
import type { Verification } from '../core/proof/verification.ts';
import type { Provider } from './provider.ts';
import { providerOf } from './providers.ts';
import type { Signer, UnsignedRequest } from './signing/signature.ts';
import { headerOf } from './signing/signed-request.ts';

/** A captured request to sign as its provider does. */
interface ResignRequest {
  method: string;
  /** The URL that the request is sent to, with path and query. */
  url: string;
  /** Name, value, name, value … Some schemes sign headers of the sender. */
  rawHeaders: readonly string[];
  body: Buffer;
  /** When the request is sent, Unix ms. */
  now: number;
  eventId: string;
}

export interface ResignOptions {
  /** The result of the verification at the capture. */
  verification: Verification;
  /** The endpoint's present source. Null if there is none. */
  source: Source | null;
  /** Decrypts the source's secrets. Returns null if they can't be decrypted. */
  open(sealedSecrets: Uint8Array): string | null;
}

/** The headers that prove a request to its receiver, or a sentence why it isn't signed. */
export type Resigned = { provider: string; headers: HeaderPair[] } | { refusal: string };

/** Returns the signer of a provider, or null if hookrelay can't sign as the provider does. */
export function resignerOf(provider: string): Signer | null {
  const { proof, signature } = providerOf(provider) ?? {};
  const signer = signature?.signer;
  // A source whose secret is a public key can't sign.
  return proof && signer && !signer.verificationKey ? signer : null;
}

/**
 * Signs a verified event with the present secrets and time, so the provider's own library accepts
 * even an old event. Signs only an event that was verified for the source's present provider.
 * Otherwise anybody could get a forged event signed.
 */
export function resign(
  request: ResignRequest,
  { verification, source, open }: ResignOptions,
): Resigned {
  const { state, provider, reason } = verification;
  if (state !== 'verified') {
    const why = reason === null ? '' : ` (${reason})`;
    return { refusal: `The event is ${state}${why}, and only verified events are signed.` };
  }
  if (!source) {
    return { refusal: 'The endpoint has no source whose secrets could sign the event.' };
  }
  if (source.provider !== provider) {
    return {
      refusal: `The event was verified as one of ${provider}, and the endpoint's source is ${source.provider} now.`,
    };
  }
  const signer = resignerOf(provider);
  if (!signer) {
    return { refusal: `hookrelay can't sign as ${provider} does.` };
  }
  const opened = secretsIn(open(source.sealedSecrets));
  if (!opened) {
    return {
      refusal: "The secrets of the endpoint's source cannot be opened with this server's key.",
    };
  }
  if (opened.length === 0) {
    return { refusal: "The endpoint's source has no secret yet." };
  }
  const secrets = opened.filter((secret) => isSigningKey(provider, request, secret));
  const [first] = secrets;
  if (first === undefined) {
    return { refusal: "The secrets of the endpoint's source are tokens, which sign nothing." };
  }
  try {
    const unsigned = unsignedRequest(request, providerOf(provider) ?? {});
    const headers = signer.signAll?.(unsigned, secrets) ?? signer.sign(unsigned, first);
    return { provider, headers };
  } catch (error) {
    if (!(error instanceof HookrelayError)) throw error;
    return { refusal: `The secrets of the endpoint's source cannot sign: ${error.message}.` };
  }
}

/** Returns true if a signature uses the same headers as hookrelay's own signatures. */
export function isStandardSignature(headers: readonly HeaderPair[]): boolean {
  return headers.some(([name]) => name.toLowerCase().startsWith('webhook-'));
}

/**
 * Signs an empty request with a source. The result shows whether the source can sign, and in which
 * headers.
 */
export function tryResigning(source: Source, open: ResignOptions['open']): Resigned {
  const { provider } = source;
  return resign(
    {
      ...{ method: 'POST', url: 'https://example.com/', rawHeaders: [], body: Buffer.alloc(0) },
      ...{ now: 0, eventId: '' },
    },
    { verification: { state: 'verified', provider, secret: 1, reason: null }, source, open },
  );
}

export function unsignedRequest(
  { method, url, rawHeaders, body, now, eventId }: ResignRequest,
  { deliveryIdHeader }: Pick<Provider, 'deliveryIdHeader'>,
): UnsignedRequest {
  return {
    ...{ method, url, body },
    timestampS: Math.floor(now / 1000),
    // Receivers recognise repeats by the sender's id.
    deliveryId: (deliveryIdHeader && headerOf({ rawHeaders }, deliveryIdHeader)) || eventId,
    headers: pairsOf(rawHeaders),
  };
}

function pairsOf(flat: readonly string[]): HeaderPair[] {
  return flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] ?? ''] as const] : []));
}

/** @param text a JSON array of texts */
function secretsIn(text: string | null): string[] | null {
  return text === null ? null : (JSON.parse(text) as string[]);
}

/** Returns true if a secret verifies bodies. Some providers also have tokens, which don't. */
function isSigningKey(
  provider: string,
  { method, url, rawHeaders, body, now }: ResignRequest,
  secret: string,
): boolean {
  const { proof, signature } = providerOf(provider) ?? {};
  const gradeOf = proof?.gradeOf;
  // `gradeOf` looks for the signature's header, which the request doesn't have yet.
  const signed = signature ? [signature.header, '', ...rawHeaders] : rawHeaders;
  const request = { method, urls: [url], query: '', rawHeaders: signed, body, receivedAt: now };
  return gradeOf === undefined || gradeOf(request, secret) === 'verified';
}
