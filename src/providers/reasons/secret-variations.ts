import { isUtf8 } from 'node:buffer';

/** Mistakes when pasting a secret from a provider's page. */
type PastedAs = 'secret_blanks' | 'secret_quotes' | 'secret_prefix' | 'secret_encoding';

/** Another text that a person may have meant. */
export interface SecretVariation {
  code: PastedAs;
  /** Follows "secret 1 fits ". */
  how: string;
  secret: string;
}

const PREFIX = 'whsec_';
const QUOTED = /^(["'`])(.*)\1$/s;
const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;
const HEX = /^(?:[\da-f]{2})+$/i;
const CONTROLS = /\p{Cc}/u;

/** Returns the texts that a person may have meant by a wrongly pasted secret. */
export function secretVariations(secret: string): SecretVariation[] {
  const found: SecretVariation[] = [];
  const add = (code: PastedAs, how: string, text: string | null) => {
    const isNew = text !== null && text !== secret && !found.some((one) => one.secret === text);
    if (isNew && text !== '') found.push({ code, how, secret: text });
  };
  const trimmed = withoutBlanks(secret);
  const bare = withoutBlanks(QUOTED.exec(trimmed)?.[2] ?? trimmed);
  add('secret_blanks', 'without the blanks around it', trimmed);
  add('secret_quotes', 'without the quotes around it', bare);
  const key = bare.replace(/^(?:whsec_)+/, '');
  add('secret_prefix', 'with one whsec_ in front of it', PREFIX + key);
  add('secret_prefix', 'without its whsec_', key);
  for (const [how, text] of encodings(key)) {
    add('secret_encoding', how, text);
    add('secret_encoding', `${how}, with whsec_ in front of it`, text && PREFIX + text);
  }
  return found;
}

/**
 * Returns what is wrong with a pasted secret, to follow "the secret". Returns null if nothing is.
 */
export function pastingProblem(secret: string): string | null {
  if (QUOTED.test(secret)) return 'must have no quotes around it';
  return secret.startsWith(PREFIX + PREFIX) ? 'must have whsec_ only once' : null;
}

/**
 * Returns a text without surrounding blanks and trailing line breaks. Settings files write such a
 * line break as `\n`.
 */
function withoutBlanks(text: string): string {
  return text.replace(/(?:\\r|\\n)+$/, '').trim();
}

function encodings(key: string): [how: string, text: string | null][] {
  const bytes = Buffer.from(key, 'utf8');
  const ofBase64 = BASE64.test(key) ? Buffer.from(key, 'base64') : null;
  const ofHex = HEX.test(key) ? Buffer.from(key, 'hex') : null;
  return [
    ['once it is decoded from base64', ofBase64 && textOf(ofBase64)],
    ['once it is decoded from hexadecimal', ofHex && textOf(ofHex)],
    ['in hexadecimal instead of base64', ofBase64?.toString('hex') ?? null],
    ['in base64 instead of hexadecimal', ofHex?.toString('base64') ?? null],
    ['once it is encoded in base64', bytes.toString('base64')],
    ['once it is encoded in hexadecimal', bytes.toString('hex')],
  ];
}

/** Returns null if the bytes aren't text. */
function textOf(bytes: Buffer): string | null {
  const text = bytes.toString('utf8');
  return bytes.length > 0 && isUtf8(bytes) && !CONTROLS.test(text) ? text : null;
}
