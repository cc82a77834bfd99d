import {
  fieldsOf,
  type HandlerPart,
  type HandlerScheme,
  prefixOf,
  STANDARD,
  timeHeaderOf,
} from '../handler-scheme.ts';
import type { HandlerPlan } from '../plan.ts';
import { testSecret } from '../test-secret.ts';

export interface TestSignature {
  /** The constants SECRET and OTHER_SECRET. */
  secrets: string;
  /** The function `signed`, as code. */
  code: string;
}

export function testSignature({ own }: HandlerPlan): TestSignature {
  const { key } = (own ?? STANDARD).scheme;
  const secretOf = (text: string) => `"${testSecret(key, text)}"`;
  return {
    secrets: `SECRET = ${secretOf('the secret of this test')}\nOTHER_SECRET = ${secretOf('another secret')}`,
    code: signed(own),
  };
}

const KEYS: Record<HandlerScheme['key'], string> = {
  text: 'secret.encode()',
  hex: 'bytes.fromhex(secret)',
  base64: 'base64.b64decode(secret)',
  standard: 'base64.b64decode(secret.removeprefix("whsec_"))',
};

const VALUES: Record<HandlerScheme['encoding'], string> = {
  hex: 'digest.hex()',
  base64: 'base64.b64encode(digest).decode()',
  base64url: 'base64.urlsafe_b64encode(digest).decode().rstrip("=")',
};

const TIMES = {
  s: 'str(int(time.time()) - age_s)',
  any: 'str(int(time.time()) - age_s)',
  ms: 'str(int(time.time() - age_s) * 1000)',
  iso: 'time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - age_s))',
};

function signed(own: HandlerPlan['own']): string {
  const { header, scheme } = own ?? STANDARD;
  const { time } = scheme;
  const fields = fieldsOf(scheme);
  const timeHeader = timeHeaderOf(scheme);
  const signature = `${prefixOf(scheme) && `"${prefixOf(scheme)}" + `}${VALUES[scheme.encoding]}`;
  const value = fields
    ? `f"${fields.time === null ? '' : `${fields.time}={timestamp}${fields.separator}`}${fields.signature}=" + ${signature}`
    : signature;
  const ids = scheme.signed.flatMap((part) =>
    typeof part === 'object' && 'header' in part && part.header !== 'webhook-id'
      ? `"${part.header.toLowerCase()}": id, `
      : [],
  );
  const timed = timeHeader ? `"${timeHeader}": timestamp, ` : '';
  return `
def signed(body: bytes, secret: str = SECRET${time ? ', age_s: int = 0' : ''}) -> dict[str, str]:
    """The headers of an event that ${own?.provider ?? 'hookrelay'} signed${time ? ' that long ago' : ''}."""
    id = str(uuid4())
${time ? `    timestamp = ${TIMES[time.unit]}\n` : ''}    digest = hmac.digest(${KEYS[scheme.key]}, ${scheme.signed.map(partExpression).join(' + ')}, "${scheme.hash}")
    return {"webhook-id": id, ${ids.join('')}${timed}"${header}": ${value}}
`;
}

function partExpression(part: HandlerPart): string {
  if (part === 'body') return 'body';
  if (part === 'time') return 'timestamp.encode()';
  return 'text' in part ? `b"${part.text}"` : 'id.encode()';
}
