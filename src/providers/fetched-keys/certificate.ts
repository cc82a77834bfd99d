import { type KeyObject, X509Certificate } from 'node:crypto';

/** An X.509 certificate whose key verifies signatures. */
export interface Certificate {
  key: KeyObject;
  /** When the certificate becomes valid, Unix ms. */
  validFrom: number;
  validTo: number;
  /** The subject's common name, and the DNS names, in lower case. */
  names: readonly string[];
  /** This certificate in PEM, without the rest of its chain. */
  pem: string;
}

const LEAST_RSA_BITS = 2048;
/**
 * The largest number of cached certificates. The oldest is dropped first. Parsing one takes as long
 * as a capture.
 */
const MOST_PARSED = 100;
/** The longest text to parse. A chain of certificates has about 6 KB. */
const MOST_CHARACTERS = 64 * 1024;

const parsed = new Map<string, Certificate>();

/**
 * Returns the first certificate of a PEM text, which may be a chain. Returns null if there is none,
 * or if its key isn't RSA with at least `LEAST_RSA_BITS`.
 *
 * Doesn't verify the issuer, because TLS proves the host that serves the certificate.
 */
export function certificateOf(text: string): Certificate | null {
  const known = parsed.get(text);
  if (known) return known;
  const read = text.length > MOST_CHARACTERS ? null : readCertificate(text);
  if (read === null) return null;
  const [oldest] = parsed.keys();
  if (parsed.size >= MOST_PARSED && oldest !== undefined) parsed.delete(oldest);
  parsed.set(text, read);
  return read;
}

function readCertificate(text: string): Certificate | null {
  try {
    const certificate = new X509Certificate(text);
    const { publicKey: key, validFrom, validTo } = certificate;
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    if (key.asymmetricKeyType !== 'rsa' || bits < LEAST_RSA_BITS) return null;
    return {
      key,
      validFrom: Date.parse(validFrom),
      validTo: Date.parse(validTo),
      names: namesOf(certificate),
      pem: certificate.toString(),
    };
  } catch {
    return null;
  }
}

function namesOf({ subject, subjectAltName = '' }: X509Certificate): string[] {
  const common = /^CN=(.*)$/m.exec(subject)?.[1] ?? '';
  const others = [...subjectAltName.matchAll(/(?:^|, )DNS:([^\s,"]+)/g)].map(([, name]) => name);
  return [common, ...others].map((name) => (name as string).toLowerCase());
}
