import { HookrelayError } from '../../core/errors.ts';
import type { HeaderPair } from '../../core/model.ts';
import { encodeBody } from './encode-body.ts';
import { Fresh, type RandomBytes } from './fresh.ts';
import { applyOverrides, parseOverride } from './override.ts';
import type { Sample } from './sample.ts';
import { withHeaders } from './with-headers.ts';

interface ComposeOptions {
  /** The receiver's URL, which some signatures cover. */
  url: string;
  /** The signing secret. Null for the provider's test secret. */
  secret: string | null;
  /** Overrides as typed: `path=value`. */
  overrides: readonly string[];
  /** Whether overrides may add fields. */
  add: boolean;
  /**
   * The person's own headers, which replace the sample's headers of the same names, and own body. A
   * null body keeps the sample's body.
   */
  own?: { headers: readonly HeaderPair[]; body: Buffer | null };
  nowMs: number;
  randomBytes: RandomBytes;
}

/** A request as the provider would send it. */
export interface ComposedSample {
  method: 'POST';
  /** Name, value, name, value … */
  headers: string[];
  body: Buffer;
  signatureHeader: string;
  /** The public key that verifies the signature. Null if the secret itself verifies it. */
  verificationKey: string | null;
}

/**
 * Makes a new event of a sample's kind, applies the overrides, and signs it. The same time and
 * random bytes give the same request, except for ECDSA signatures. Throws `config_invalid` for
 * unusable overrides and secrets.
 */
export function composeSample(sample: Sample, options: ComposeOptions): ComposedSample {
  const { url, nowMs, add } = options;
  const fresh = new Fresh(nowMs, options.randomBytes);
  const { payload, headers, deliveryId } = sample.build(fresh);
  const { format } = sample;
  // The sample may use one object in several places, but an override must change only one.
  const overridden = applyOverrides(
    JSON.parse(JSON.stringify(payload)),
    options.overrides.map((argument) => parseOverride(argument, format)),
    { format, add },
  );
  const body = options.own?.body ?? encodeBody(format, overridden);
  const sent = withHeaders(headers, options.own?.headers ?? []);

  const { signer } = sample.signature;
  const secret = options.secret ?? signer.testSecret;
  if (secret === '') throw new HookrelayError('config_invalid', 'the secret is empty');
  const signature = signer.sign(
    { method: 'POST', url, body, timestampS: fresh.seconds(), deliveryId, headers: sent },
    secret,
  );
  return {
    method: 'POST',
    headers: withHeaders(sent, signature).flat(),
    body,
    signatureHeader: (signature.at(-1) as readonly [string, string])[0],
    verificationKey: signer.verificationKey?.(secret) ?? null,
  };
}
