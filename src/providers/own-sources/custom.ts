import type { CustomScheme } from '../../core/proof/source.ts';
import { type Proof, schemeProof } from '../signing/proof.ts';
import type {
  SignatureEncoding,
  SignatureScheme,
  SignedPart,
} from '../signing/signature-scheme.ts';

/** The form of a signature: a prefix, then `{hex}`, `{base64}` or `{base64url}`. */
export const FORM = /^([^{}]*)\{(hex|base64|base64url)\}$/;
/** A placeholder in the signed text. */
const NAMED = /\{(body|method|url|header\.[^{}]+)\}/;

/** Returns the proof of a signature that a person described. */
export function customProof(scheme: CustomScheme): Proof {
  return schemeProof(customScheme(scheme), 'the signing secret, as text');
}

/** Returns the scheme that a person's words describe. */
export function customScheme(custom: CustomScheme): SignatureScheme {
  const [, prefix = '', encoding = 'hex'] = FORM.exec(custom.form) ?? [];
  const isPublicKey = custom.algorithm === 'ed25519';
  return {
    algorithm: custom.algorithm,
    key: isPublicKey ? 'hex' : 'text',
    header: custom.signature.slice('header.'.length),
    encoding: encoding as SignatureEncoding,
    form: { prefix },
    signed: partsOf(custom.signed),
    time:
      custom.timestamp === null
        ? null
        : {
            place: { header: custom.timestamp.slice('header.'.length) },
            unit: 'any',
            toleranceMs: custom.toleranceMs,
            isTwoSided: true,
          },
  };
}

/** Returns the parts of a text such as `{header.x-timestamp}.{body}`. */
function partsOf(signed: string): SignedPart[] {
  return signed.split(new RegExp(NAMED, 'g')).flatMap((piece, i): SignedPart[] => {
    if (i % 2 === 0) return piece === '' ? [] : [{ text: piece }];
    if (piece === 'body' || piece === 'method' || piece === 'url') return [piece];
    return [{ header: piece.slice('header.'.length) }];
  });
}
