import type { HandlerPlan, OwnSignature } from '../plan.ts';

/** The part of a pytest module that signs as the sender does, without the handler's code. */
export interface TestSignature {
  /** The constants SECRET and OTHER_SECRET. */
  secrets: string;
  /** The function `signed`. */
  code: string;
}

export function testSignature({ own }: HandlerPlan): TestSignature {
  if (own) return { secrets: PLAIN_SECRETS, code: own.scheme.time ? timed(own) : untimed(own) };
  return { secrets: STANDARD_SECRETS, code: STANDARD };
}

const PLAIN_SECRETS = 'SECRET = "the secret of this test"\nOTHER_SECRET = "another secret"';

// Standard Webhooks keys are base64 behind whsec_.
const STANDARD_SECRETS = ['the secret of this test', 'another secret']
  .map((text) => `"whsec_" + base64.b64encode(b"${text}").decode()`)
  .map((secret, i) => `${i === 0 ? 'SECRET' : 'OTHER_SECRET'} = ${secret}`)
  .join('\n');

const STANDARD = `
def signed(body: bytes, secret: str = SECRET, age_s: int = 0) -> dict[str, str]:
    """The headers of an event that hookrelay signed that long ago."""
    id = str(uuid4())
    timestamp = str(int(time.time()) - age_s)
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, f"{id}.{timestamp}.".encode() + body, "sha256")
    signature = "v1," + base64.b64encode(digest).decode()
    return {"webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature}
`;

function untimed({ provider, header, scheme }: OwnSignature): string {
  return `
def signed(body: bytes, secret: str = SECRET) -> dict[str, str]:
    """The headers of an event that ${provider} signed."""
    digest = hmac.digest(secret.encode(), body, "${scheme.hash}")
    return {"webhook-id": str(uuid4()), "${header}": ${signatureText(scheme)}}
`;
}

function timed({ provider, header, scheme }: OwnSignature): string {
  const { before = '', after = '', place } = scheme.time ?? {};
  const text = signatureText(scheme);
  const headers =
    place && 'header' in place
      ? `"${place.header.toLowerCase()}": timestamp, "${header}": ${text}`
      : `"${header}": f"${place?.timeField}={timestamp},${place?.signatureField}=" + ${text}`;
  return `
def signed(body: bytes, secret: str = SECRET, age_s: int = 0) -> dict[str, str]:
    """The headers of an event that ${provider} signed that long ago."""
    timestamp = str(int(time.time()) - age_s)
    digest = hmac.digest(secret.encode(), f"${before}{timestamp}${after}".encode() + body, "${scheme.hash}")
    return {"webhook-id": str(uuid4()), ${headers}}
`;
}

function signatureText({ prefix, encoding }: OwnSignature['scheme']): string {
  const value = encoding === 'hex' ? 'digest.hex()' : 'base64.b64encode(digest).decode()';
  return prefix === '' ? value : `"${prefix}" + ${value}`;
}
