import { isCardNumber, isIban } from './check-digits.ts';

/** The text that replaces a secret. */
export const REDACTED = '[redacted]';

/** Headers that authenticate the sender, or that are computed from a secret. */
const SECRET_HEADER =
  /^(authorization|proxy-authorization|cookie|set-cookie)$|signature|secret|token|passw|passcode|(^|-)(auth|pass|otp)($|-)|api-?key|hmac|credential|session/i;
/**
 * Names of a body's members that hold secrets. `camelCase` is split into words before the match.
 */
const SECRET_NAME =
  /secret|password|passwd|passphrase|passcode|(^|[_-])(token|pass|pin|otp|cvc|cvv|ssn|iban|auth|jwt|sid|pwd|cookie|session)s?($|[_-])|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|authorization|credential|signature|card[_-]?number|account[_-]?number|^(number|pan)$/i;
/** Names that mean a card's number only if a card's other fields stand beside them. */
const PLAIN_NUMBER = /^(number|pan)$/i;
const CARD_MATES = ['cvc', 'cvv', 'exp_month', 'expiry', 'exp_year', 'expMonth', 'exp'];

const PATTERNS: RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:Bearer|Basic|Token)\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  // JSON Web Tokens.
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g,
  // Keys whose prefix tells their service.
  /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]+|\bwhsec_[A-Za-z0-9+/=]+|\bgh[oprsu]_[A-Za-z0-9]{20,}|\bgithub_pat_\w+|\bglpat-[\w-]+|\bxox[abeoprs]-[\w-]+|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\bSG\.[\w-]{10,}\.[\w-]{10,}|\bhr_[A-Za-z0-9_-]{16,}|\bnpm_[A-Za-z0-9]{30,}|\bshp(?:at|ss|ca|pa)_[a-fA-F0-9]{20,}|\bsk-[A-Za-z0-9_-]{20,}/g,
];
/** Tokens that can be recognised by the form that one service gives them. */
const TOKENS: RegExp[] = [
  // Tokens of Linear, Hugging Face, Doppler, Slack apps, DigitalOcean, Databricks and PyPI, and
  // keys of Twilio.
  /\blin_(?:api|oauth|wh)_\w+|\bhf_[A-Za-z0-9]{16,}|\bdp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{16,}|\bxapp-[\w-]+|\bdo[opr]_v1_[a-f0-9]{32,}|\bdapi[a-f0-9]{32}\b|\bpypi-[\w-]{32,}|\bSK[a-f0-9]{32}\b/g,
  // Tokens of Telegram's bots, also within a URL, and of Discord's bots.
  /(?:\bbot)?\b\d{6,12}:[A-Za-z0-9_-]{30,}|\bbot\d{6,12}:[A-Za-z0-9_-]{30,}/g,
  /\b[A-Za-z0-9_-]{23,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}/g,
  // A secret key of AWS: 40 characters of base64. The pattern doesn't match a hash in hex.
  /(?<![A-Za-z0-9/+=])(?=[a-z0-9/+]*[A-Z])(?=[A-Z0-9/+]*[a-z])(?=[A-Za-z/+]*\d)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g,
];
/** URLs that are secrets, because everybody who has them can post. */
const POSTING_URL =
  /(\bhttps?:\/\/(?:hooks\.slack\.com|(?:[\w-]+\.)?discord(?:app)?\.com\/api(?:\/v\d+)?\/webhooks|[\w.-]+\.webhook\.office\.com|chat\.googleapis\.com\/v1\/spaces|api\.telegram\.org))\/[^\s"'<>\\)]+/gi;
/** URLs that are secrets, because everybody who has them can sign in. */
const LETTING_IN_URL =
  /(\bhttps?:\/\/[^\s"'<>\\/?#]{1,200})[/?#](?=[^\s"'<>\\)]{0,1000}(?:reset|recover|passw|forgot|magic|one-?time|invit|verif|confirm|activat|sign-?in|log-?in))[^\s"'<>\\)]{1,1000}/gi;
/** `https://user:password@host` */
const URL_USER = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@]+@/gi;
/** `curl -u user:password` */
const USER_OPTION =
  /(\s(?:-u|-U|--user|--proxy-user)[\s=]{1,4})("[^"\n]*"?|'[^'\n]*'?|[^\s:]{0,200}:[^\s]{1,200})/g;
/** A quotation mark, plain or escaped within nested JSON. */
const QUOTE = '\\\\{0,7}["\']';
/**
 * A value. A quoted value ends at a quotation mark with as many backslashes as the first one. A
 * bare value ends at a separator.
 */
const VALUE = `(?<escape>\\\\{1,7})"(?:(?!(?<!\\\\)\\k<escape>")[^\\n]){0,2000}(?:\\k<escape>")?|"(?:\\\\.|[^"\\\\\\n])*"?|'[^'\\n]*'?|[^\\s,;&}<]+`;
const SECRET_WORD =
  'password|passwd|passphrase|passcode|pass|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|x-auth|authorization|credentials?|signature|sig|cvc|cvv';
/** `password=…`, `"api_key": "…"`, `secret: …`, `\"token\":\"…\"` */
const ASSIGNED = new RegExp(
  `((?:${QUOTE})?[\\w-]{0,40}(?:${SECRET_WORD})(?:${QUOTE})?\\s{0,4}(?:[:=]|\\bis\\b)\\s{0,4})(${VALUE})`,
  'gi',
);
/** `"name": "password", "value": "…"` */
const PAIRED = new RegExp(
  `((?:${QUOTE})(?:name|key|field|label)(?:${QUOTE})\\s{0,4}:\\s{0,4}(?:${QUOTE})[\\w -]{0,40}(?:${SECRET_WORD})[\\w -]{0,40}(?:${QUOTE})\\s{0,4},\\s{0,4}(?:${QUOTE})(?:value|content|text|answer)(?:${QUOTE})\\s{0,4}:\\s{0,4})(${VALUE})`,
  'gi',
);
const CARD_LIKE = /\b\d(?:[ -]?\d){12,18}\b/g;
const IBAN_LIKE = /\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?\b/gi;

/** Replaces everything in a text that looks like a key, a token, a password or a card number. */
export function redactText(text: string): string {
  let clear = text;
  for (const pattern of [...PATTERNS, ...TOKENS]) clear = clear.replace(pattern, REDACTED);
  return clear
    .replace(URL_USER, `$1${REDACTED}@`)
    .replace(POSTING_URL, `$1/${REDACTED}`)
    .replace(LETTING_IN_URL, `$1/${REDACTED}`)
    .replace(USER_OPTION, `$1${REDACTED}`)
    .replace(PAIRED, `$1${REDACTED}`)
    .replace(ASSIGNED, `$1${REDACTED}`)
    .replace(CARD_LIKE, (digits) => (isCardNumber(digits) ? REDACTED : digits))
    .replace(IBAN_LIKE, (account) => (isIban(account) ? REDACTED : account));
}

export function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name);
}

/** Returns whether a member of this name is a secret, whatever its value. */
export function isSecretName(name: string, siblings: readonly string[]): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  if (!SECRET_NAME.test(words)) return false;
  return !PLAIN_NUMBER.test(name) || siblings.some((sibling) => CARD_MATES.includes(sibling));
}

/**
 * Returns a URL without its query and without random parts of its path, because services put keys
 * there. The scheme, the host and the rest of the path stay.
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
