import { STANDARD } from '../handler-scheme.ts';
import type { HandlerPlan } from '../plan.ts';

export interface TestSignature {
  /** The constants SECRET and OTHER_SECRET. */
  secrets: string;
  /** The function `signed`, as code. */
  code: string;
}

export function testSignature({ own }: HandlerPlan): TestSignature {
  // A key of Standard Webhooks is base64 after `whsec_`.
  const secretOf = (text: string) =>
    own ? `"${text}"` : `"whsec_" + base64.b64encode(b"${text}").decode()`;
  return {
    secrets: `SECRET = ${secretOf('the secret of this test')}\nOTHER_SECRET = ${secretOf('another secret')}`,
    code: signed(own),
  };
}

function signed(own: HandlerPlan['own']): string {
  const { header, scheme } = own ?? STANDARD;
  const { encoding, prefix, time } = scheme;
  const key = own ? 'secret.encode()' : 'base64.b64decode(secret.removeprefix("whsec_"))';
  const value = encoding === 'hex' ? 'digest.hex()' : 'base64.b64encode(digest).decode()';
  const signature = `${prefix && `"${prefix}" + `}${value}`;
  const by = own?.provider ?? 'hookrelay';
  if (!time) {
    return `
def signed(body: bytes, secret: str = SECRET) -> dict[str, str]:
    """The headers of an event that ${by} signed."""
    digest = hmac.digest(${key}, body, "sha256")
    return {"webhook-id": str(uuid4()), "${header}": ${signature}}
`;
  }
  const { place, before, after } = time;
  const headers =
    'header' in place
      ? `"${place.header.toLowerCase()}": timestamp, "${header}": ${signature}`
      : `"${header}": f"${place.timeField}={timestamp},${place.signatureField}=" + ${signature}`;
  return `
def signed(body: bytes, secret: str = SECRET, age_s: int = 0) -> dict[str, str]:
    """The headers of an event that ${by} signed that long ago."""
    id = str(uuid4())
    timestamp = str(int(time.time()) - age_s)
    signed = f"${own ? before : '{id}.'}{timestamp}${after}".encode() + body
    digest = hmac.digest(${key}, signed, "sha256")
    return {"webhook-id": id, ${headers}}
`;
}
