import {
  fieldsOf,
  type HandlerPart,
  type HandlerScheme,
  prefixOf,
  timeHeaderOf,
} from '../handler-scheme.ts';
import { DESTINATION_SECRET, type HandlerPlan } from '../plan.ts';

/** Returns a piece of TypeScript syntax as it is, or an empty text if the code is JavaScript. */
export interface Annotate {
  (types: string): string;
  readonly isTyped: boolean;
  readonly extension: 'ts' | 'js';
}

export const TYPESCRIPT: Annotate = Object.assign((types: string) => types, {
  ...{ isTyped: true, extension: 'ts' as const },
});

export const JAVASCRIPT: Annotate = Object.assign(() => '', {
  ...{ isTyped: false, extension: 'js' as const },
});

export function nodeVerification(plan: HandlerPlan, t: Annotate): string {
  const secret = `secretIn('${plan.secretVariable}')`;
  const { own } = plan;
  if (!own) {
    return `
/** Whether the request has a valid Standard Webhooks signature within the tolerance. */
function isAuthentic(header${t(': Header')}, body${t(': Buffer')})${t(': boolean')} {
  return isSigned(header, body, ${secret});
}

${standardCheck(t)}
${recent(t)}
${common(t)}`;
  }
  const { scheme } = own;
  const { time } = scheme;
  const fields = fieldsOf(scheme);
  const timeHeader = timeHeaderOf(scheme);
  const given = `header('${own.header}') ?? ''`;
  const lines = [
    ...(fields
      ? [
          `const parts = (${given}).split('${fields.separator}').map((part) => /^\\s*([^=]*)=(.*?)\\s*$/.exec(part) ?? []);`,
        ]
      : []),
    ...(fields?.time
      ? [`const timestamp = parts.find(([, name]) => name === '${fields.time}')?.[2] ?? '';`]
      : []),
    ...(timeHeader ? [`const timestamp = header('${timeHeader}') ?? '';`] : []),
    `const hmac = createHmac('${scheme.hash}', ${keyExpression(scheme.key, plan.secretVariable)});`,
    ...scheme.signed.map((part) => `hmac.update(${partExpression(part)});`),
    `const expected = ${prefixOf(scheme) && `'${prefixOf(scheme)}' + `}hmac.digest('${scheme.encoding}');`,
    ...(fields
      ? [
          `const signatures = parts.filter(([, name]) => name === '${fields.signature}').map(([, , value]) => value ?? '');`,
        ]
      : []),
  ];
  const check = fields
    ? `signatures.some((signature) => ${isSame('signature', scheme)})`
    : 'tag' in scheme.form
      ? `(${given}).split(' ').some((signature) => ${isSame('signature', scheme)})`
      : isSame(given, scheme);
  const key = scheme.key === 'text' ? '' : keyIn(scheme.key, t);
  const intro = time
    ? `signed exactly these bytes, and the request isn't an attacker's copy.`
    : 'signed exactly these bytes.';
  const end = time
    ? `const is${own.word}s = ${check};
  return is${own.word}s && (${time.unit === 's' ? 'isRecent' : 'isFresh'}(timestamp) || isDelivery(header, body));`
    : `return ${check};`;
  return `
/** Whether ${own.provider} ${intro} */
function isAuthentic(header${t(': Header')}, body${t(': Buffer')})${t(': boolean')} {
  ${lines.join('\n  ')}
  ${end}
}
${time && time.unit !== 's' ? fresh(time.unit, t) : ''}
${time ? delivery(own.provider, t) : common(t)}${key}`;
}

/** Returns the comparison of one signature. A receiver takes hexadecimal digits of either case. */
function isSame(given: string, { encoding }: HandlerScheme): string {
  if (encoding !== 'hex') return `isSame(${given}, expected)`;
  return `isSame(${given.includes(' ') ? `(${given})` : given}.toLowerCase(), expected)`;
}

function keyExpression(key: HandlerScheme['key'], variable: string): string {
  return key === 'text' ? `secretIn('${variable}')` : `keyIn('${variable}')`;
}

function partExpression(part: HandlerPart): string {
  if (part === 'body') return 'body';
  if (part === 'time') return 'timestamp';
  return 'text' in part ? `'${part.text}'` : `header('${part.header.toLowerCase()}') ?? ''`;
}

function keyIn(key: HandlerScheme['key'], t: Annotate): string {
  const [text, encoding] =
    key === 'standard'
      ? ["secretIn(variable).replace(/^whsec_/, '')", 'base64']
      : ['secretIn(variable)', key];
  return `
/** The bytes that the secret stands for. */
function keyIn(variable${t(': string')})${t(': Buffer')} {
  const key = Buffer.from(${text}, '${encoding}');
  if (key.length === 0) throw new Error(variable + ' is not ${encoding}: anyone could sign');
  return key;
}
`;
}

/** Returns `isFresh`, which reads the sender's times if they aren't in seconds. */
function fresh(unit: 'ms' | 'iso' | 'any', t: Annotate): string {
  const at = {
    ms: 'Number(/^\\d{1,15}$/.exec(timestamp)?.[0])',
    iso: 'Date.parse(timestamp)',
    any: '/^\\d{1,15}$/.test(timestamp) ? Number(timestamp) * (Number(timestamp) < 1e11 ? 1000 : 1) : Date.parse(timestamp)',
  }[unit];
  return `
function isFresh(timestamp${t(': string')})${t(': boolean')} {
  const at = ${at};
  return Math.abs(Date.now() - at) <= TOLERANCE_S * 1000;
}
`;
}

/**
 * Returns `isDelivery`. It is for senders that sign the time, because their signature expires
 * before hookrelay's last retry.
 */
function delivery(sender: string, t: Annotate): string {
  return `/**
 * Whether hookrelay signed this attempt. ${sender} signs an event once, so retries and
 * replays by hookrelay can exceed the tolerance. hookrelay signs each attempt: give the
 * destination a secret, and put it into ${DESTINATION_SECRET} too.
 */
function isDelivery(header${t(': Header')}, body${t(': Buffer')})${t(': boolean')} {
  const secret = process.env.${DESTINATION_SECRET};
  return secret ? isSigned(header, body, secret) : false;
}

${standardCheck(t)}
${recent(t)}
${common(t)}`;
}

function standardCheck(t: Annotate): string {
  return `/** Verifies a Standard Webhooks signature: the HMAC of id, timestamp and body. */
function isSigned(header${t(': Header')}, body${t(': Buffer')}, secret${t(': string')})${t(': boolean')} {
  const id = header('webhook-id') ?? '';
  const timestamp = header('webhook-timestamp') ?? '';
  if (id === '' || !isRecent(timestamp)) return false;
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret;
  if (key.length === 0) throw new Error('the webhook secret is empty: anyone could sign');
  const hmac = createHmac('sha256', key).update(id + '.' + timestamp + '.').update(body);
  const expected = 'v1,' + hmac.digest('base64');
  const signatures = (header('webhook-signature') ?? '').split(' ');
  return signatures.some((signature) => isSame(signature, expected));
}
`;
}

function recent(t: Annotate): string {
  return `function isRecent(timestamp${t(': string')})${t(': boolean')} {
  if (!/^\\d{1,12}$/.test(timestamp)) return false;
  return Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_S;
}
`;
}

function common(t: Annotate): string {
  return `
/** Compares in constant time: the duration reveals nothing about the expected signature. */
function isSame(given${t(': string')}, expected${t(': string')})${t(': boolean')} {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function secretIn(variable${t(': string')})${t(': string')} {
  const secret = process.env[variable];
  if (!secret) throw new Error(variable + ' is not set: no request can be verified');
  return secret;
}
`;
}
