/** What stands where something was that is nobody's business. */
export const REDACTED = '[redacted]';

/** Headers that prove who calls, or that are made from a secret. */
const SECRET_HEADER =
  /^(authorization|proxy-authorization|cookie|set-cookie)$|signature|secret|token|password|api-?key|hmac|credential|session/i;
/** Members of a body, after `camelCase` was taken apart. */
const SECRET_NAME =
  /secret|password|passwd|passphrase|(^|[_-])(token|pin|otp|cvc|cvv|ssn|iban|auth|jwt|sid|pwd|cookie|session)s?($|[_-])|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|authorization|credential|signature|card[_-]?number|account[_-]?number|^(number|pan)$/i;
/** Names that say nothing by themselves: `number` is a card's where a card's other fields are. */
const PLAIN_NUMBER = /^(number|pan)$/i;
const CARD_MATES = ['cvc', 'cvv', 'exp_month', 'expiry', 'exp_year', 'expMonth', 'exp'];

const PATTERNS: RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:Bearer|Basic|Token)\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  // JSON Web Tokens.
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g,
  // Keys that say by their beginning whose they are.
  /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]+|\bwhsec_[A-Za-z0-9+/=]+|\bgh[oprsu]_[A-Za-z0-9]{20,}|\bgithub_pat_\w+|\bglpat-[\w-]+|\bxox[abeoprs]-[\w-]+|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\bSG\.[\w-]{10,}\.[\w-]{10,}|\bhr_[A-Za-z0-9_-]{16,}|\bnpm_[A-Za-z0-9]{30,}|\bshp(?:at|ss|ca|pa)_[a-fA-F0-9]{20,}|\bsk-[A-Za-z0-9_-]{20,}/g,
];
/** `https://user:password@host` */
const URL_USER = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@]+@/gi;
/** `password=…`, `"api_key": "…"`, `secret: …` */
const ASSIGNED =
  /(["']?[\w-]{0,40}(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|authorization|credentials?|signature|sig|cvc|cvv)["']?\s{0,4}(?:[:=]|\bis\b)\s{0,4})("[^"\n]*"?|'[^'\n]*'?|[^\s,;&}<]+)/gi;
const CARD_LIKE = /\b\d(?:[ -]?\d){12,18}\b/g;

/** Strips from text what looks like a key, a token, a password or a card. */
export function redactText(text: string): string {
  let clear = text;
  for (const pattern of PATTERNS) clear = clear.replace(pattern, REDACTED);
  return clear
    .replace(URL_USER, `$1${REDACTED}@`)
    .replace(ASSIGNED, `$1${REDACTED}`)
    .replace(CARD_LIKE, (digits) => (isCardNumber(digits) ? REDACTED : digits));
}

export function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name);
}

/** Whether a member of this name is left out, whatever its value is. */
export function isSecretName(name: string, siblings: readonly string[]): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  if (!SECRET_NAME.test(words)) return false;
  return !PLAIN_NUMBER.test(name) || siblings.some((sibling) => CARD_MATES.includes(sibling));
}

/**
 * A URL by scheme, host and path: queries and parts of paths that look random
 * are where services put the keys of their webhook URLs.
 */
export function redactUrl(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return REDACTED;
  const path = parsed.pathname
    .split('/')
    .map((part) => (part.length >= 16 && /\d/.test(part) ? REDACTED : part))
    .join('/');
  return `${parsed.protocol}//${parsed.host}${path}${parsed.search ? `?${REDACTED}` : ''}`;
}

/** By the check digit (ISO/IEC 7812-1, annex B) that every payment card's number has. */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0 && /[1-9]/.test(digits);
}
