import { DESTINATION_SECRET, type HandlerPlan } from '../plan.ts';

/** Returns the Python functions by which a FastAPI handler verifies a request. */
export function fastapiVerification({ own, secretVariable }: HandlerPlan): string {
  const secret = `secret_in("${secretVariable}")`;
  if (!own) {
    return `
def is_authentic(headers: Headers, body: bytearray) -> bool:
    """Whether the request has a valid Standard Webhooks signature within the tolerance."""
    return is_signed(headers, body, ${secret})
${STANDARD}${RECENT}${COMMON}`;
  }
  const { encoding, prefix, time } = own.scheme;
  const before = prefix && `"${prefix}" + `;
  /**
   * Returns the line that computes the expected signature, and the expression that holds the
   * signature.
   */
  const expectedOf = (signed: string) => {
    const hmac = `hmac.new(${secret}.encode(), ${signed}, hashlib.sha256)`;
    return encoding === 'hex'
      ? { line: `expected = ${before}${hmac}.hexdigest()`, value: 'expected' }
      : {
          line: `digest = ${hmac}.digest()`,
          value: `${before}base64.b64encode(digest).decode()`,
        };
  };
  if (!time) {
    const expected = expectedOf('body');
    return `
def is_authentic(headers: Headers, body: bytearray) -> bool:
    """Whether ${own.provider} signed exactly these bytes."""
    ${expected.line}
    return is_same(headers.get("${own.header}", ""), ${expected.value})
${COMMON}`;
  }
  const isTheirs = `is_${own.word.toLowerCase()}s`;
  const expected = expectedOf('signed');
  const signed = `signed = ${time.before && `b"${time.before}" + `}timestamp.encode() + b"${time.after}" + body
    ${expected.line}`;
  const { place } = time;
  const check =
    'timeField' in place
      ? `    parts = [part.strip().partition("=") for part in headers.get("${own.header}", "").split(",")]
    timestamp = next((value for name, _, value in parts if name == "${place.timeField}"), "")
    ${signed}
    ${isTheirs} = any(is_same(value, ${expected.value}) for name, _, value in parts if name == "${place.signatureField}")`
      : `    timestamp = headers.get("${place.header.toLowerCase()}", "")
    ${signed}
    ${isTheirs} = is_same(headers.get("${own.header}", ""), ${expected.value})`;
  return `
def is_authentic(headers: Headers, body: bytearray) -> bool:
    """Whether ${own.provider} signed exactly these bytes, and the request isn't an attacker's copy."""
${check}
    return ${isTheirs} and (is_recent(timestamp) or is_delivery(headers, body))
${delivery(own.provider)}`;
}

function delivery(sender: string): string {
  return `
def is_delivery(headers: Headers, body: bytearray) -> bool:
    """Whether hookrelay signed this attempt.

    ${sender} signs an event once, so retries and replays by hookrelay can exceed the
    tolerance. hookrelay signs each attempt: give the destination a secret, and put
    it into ${DESTINATION_SECRET} too.
    """
    secret = os.environ.get("${DESTINATION_SECRET}")
    return is_signed(headers, body, secret) if secret else False
${STANDARD}${RECENT}${COMMON}`;
}

const STANDARD = `
def is_signed(headers: Headers, body: bytearray, secret: str) -> bool:
    """Verifies a Standard Webhooks signature: the HMAC of id, timestamp and body."""
    id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if id == "" or not is_recent(timestamp):
        return False
    key = base64.b64decode(secret[6:]) if secret.startswith("whsec_") else secret.encode()
    if not key:
        raise RuntimeError("the webhook secret is empty: anyone could sign")
    digest = hmac.new(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(is_same(signature, expected) for signature in signatures)
`;

const RECENT = `
def is_recent(timestamp: str) -> bool:
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return False
    return abs(time.time() - int(timestamp)) <= TOLERANCE_S
`;

const COMMON = `
def is_same(given: str, expected: str) -> bool:
    """Compares in constant time: the duration reveals nothing about the expected signature."""
    return hmac.compare_digest(given.encode(), expected.encode())

def secret_in(variable: str) -> str:
    secret = os.environ.get(variable)
    if not secret:
        raise RuntimeError(f"{variable} is not set: no request can be verified")
    return secret
`;
