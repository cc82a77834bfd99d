import {
  fieldsOf,
  type HandlerPart,
  type HandlerScheme,
  prefixOf,
  timeHeaderOf,
} from '../handler-scheme.ts';
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
  const { scheme } = own;
  const { time } = scheme;
  const fields = fieldsOf(scheme);
  const timeHeader = timeHeaderOf(scheme);
  const given = `headers.get("${own.header}", "")`;
  const key = scheme.key === 'text' ? `${secret}.encode()` : `key_in("${secretVariable}")`;
  const lines = [
    ...(fields
      ? [`parts = [part.strip().partition("=") for part in ${given}.split("${fields.separator}")]`]
      : []),
    ...(fields?.time
      ? [`timestamp = next((value for name, _, value in parts if name == "${fields.time}"), "")`]
      : []),
    ...(timeHeader ? [`timestamp = headers.get("${timeHeader}", "")`] : []),
    `digest = hmac.digest(${key}, ${scheme.signed.map(partExpression).join(' + ')}, "${scheme.hash}")`,
    `expected = ${prefixOf(scheme) && `"${prefixOf(scheme)}" + `}${ENCODED[scheme.encoding]}`,
  ];
  const one = scheme.encoding === 'hex' ? '.lower()' : '';
  const check = fields
    ? `any(is_same(value${one}, expected) for name, _, value in parts if name == "${fields.signature}")`
    : 'tag' in scheme.form
      ? `any(is_same(signature${one}, expected) for signature in ${given}.split(" "))`
      : `is_same(${given}${one}, expected)`;
  const isTheirs = `is_${own.word.toLowerCase()}s`;
  const end = time
    ? `${isTheirs} = ${check}
    return ${isTheirs} and (${time.unit === 's' ? 'is_recent' : 'is_fresh'}(timestamp) or is_delivery(headers, body))`
    : `return ${check}`;
  const intro = time
    ? "signed exactly these bytes, and the request isn't an attacker's copy."
    : 'signed exactly these bytes.';
  return `
def is_authentic(headers: Headers, body: bytearray) -> bool:
    """Whether ${own.provider} ${intro}"""
    ${lines.join('\n    ')}
    ${end}
${time && time.unit !== 's' ? fresh(time.unit) : ''}${time ? delivery(own.provider) : COMMON}${scheme.key === 'text' ? '' : keyIn(scheme.key)}`;
}

const ENCODED: Record<HandlerScheme['encoding'], string> = {
  hex: 'digest.hex()',
  base64: 'base64.b64encode(digest).decode()',
  base64url: 'base64.urlsafe_b64encode(digest).decode().rstrip("=")',
};

function partExpression(part: HandlerPart): string {
  if (part === 'body') return 'body';
  if (part === 'time') return 'timestamp.encode()';
  return 'text' in part
    ? `b"${part.text}"`
    : `headers.get("${part.header.toLowerCase()}", "").encode()`;
}

function keyIn(key: HandlerScheme['key']): string {
  const read =
    key === 'hex'
      ? 'bytes.fromhex(secret_in(variable))'
      : `base64.b64decode(secret_in(variable)${key === 'standard' ? '.removeprefix("whsec_")' : ''})`;
  return `
def key_in(variable: str) -> bytes:
    """The bytes that the secret stands for."""
    key = ${read}
    if not key:
        raise RuntimeError(f"{variable} is empty: anyone could sign")
    return key
`;
}

/** Returns `is_fresh`, which reads the sender's times if they aren't in seconds. */
function fresh(unit: 'ms' | 'iso' | 'any'): string {
  const number = 'timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 15';
  const read = {
    ms: `        if not (${number}):
            return False
        at = int(timestamp) / 1000`,
    iso: '        at = datetime.fromisoformat(timestamp).timestamp()',
    any: `        if ${number}:
            at = int(timestamp) / (1 if int(timestamp) < 1e11 else 1000)
        else:
            at = parsedate_to_datetime(timestamp).timestamp()`,
  }[unit];
  return `
def is_fresh(timestamp: str) -> bool:
    try:
${read}
    except (ValueError, OverflowError):
        return False
    return abs(time.time() - at) <= TOLERANCE_S
`;
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
