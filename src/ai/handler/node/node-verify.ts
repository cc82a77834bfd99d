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
  const { encoding, prefix, time } = own.scheme;
  const digest = (hmac: string) => `${prefix && `'${prefix}' + `}${hmac}.digest('${encoding}')`;
  if (!time) {
    return `
/** Whether ${own.provider} signed exactly these bytes. */
function isAuthentic(header${t(': Header')}, body${t(': Buffer')})${t(': boolean')} {
  const hmac = createHmac('sha256', ${secret}).update(body);
  return isSame(header('${own.header}') ?? '', ${digest('hmac')});
}
${common(t)}`;
  }
  const isTheirs = `is${own.word}s`;
  const before = time.before && `'${time.before}' + `;
  const expected = `const hmac = createHmac('sha256', ${secret});
  const expected = ${digest(`hmac.update(${before}timestamp + '${time.after}').update(body)`)};`;
  const { place } = time;
  const check =
    'timeField' in place
      ? `  const parts = (header('${own.header}') ?? '').split(',').map((part) => part.trim().split('='));
  const timestamp = parts.find(([name]) => name === '${place.timeField}')?.[1] ?? '';
  ${expected}
  const signatures = parts.filter(([name]) => name === '${place.signatureField}').map(([, value]) => value ?? '');
  const ${isTheirs} = signatures.some((signature) => isSame(signature, expected));`
      : `  const timestamp = header('${place.header.toLowerCase()}') ?? '';
  ${expected}
  const ${isTheirs} = isSame(header('${own.header}') ?? '', expected);`;
  return `
/** Whether ${own.provider} signed exactly these bytes, and the request isn't an attacker's copy. */
function isAuthentic(header${t(': Header')}, body${t(': Buffer')})${t(': boolean')} {
${check}
  return ${isTheirs} && (isRecent(timestamp) || isDelivery(header, body));
}

${delivery(own.provider, t)}`;
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
