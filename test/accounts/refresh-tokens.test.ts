import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { apiTokenHash, newApiToken } from '../../src/accounts/api-tokens.ts';
import { RefreshTokens } from '../../src/accounts/refresh-tokens.ts';
import { newId } from '../../src/core/ids.ts';
import { Keys } from '../../src/core/secrets/keys.ts';

const tokens = new RefreshTokens(new Keys(randomBytes(32)).refreshTokens);
const SESSION = newId('ses', Date.UTC(2026, 0, 31));
const OTHER = newId('ses', Date.UTC(2026, 0, 31));
const TOKEN = tokens.issue(SESSION, 7);
const MAC = TOKEN.slice(-43);

test.each([0, 1, 42, 2 ** 31, 9_999_999_999])(
  'a token of generation %d parses back',
  (generation) => {
    const token = tokens.issue(SESSION, generation);
    expect(tokens.parse(token)).toEqual({ sessionId: SESSION, generation });
    expect(tokens.issue(SESSION, generation)).toBe(token);
  },
);

test('the secret part is 256 bits that depend on session, generation and key', () => {
  const others = new RefreshTokens(new Keys(randomBytes(32)).refreshTokens);
  const macs = [
    TOKEN,
    tokens.issue(SESSION, 8),
    tokens.issue(OTHER, 7),
    others.issue(SESSION, 7),
  ].map((token) => token.slice(-43));
  expect(new Set(macs).size).toBe(4);
  expect(Buffer.from(MAC, 'base64url')).toHaveLength(32);
  expect(others.parse(TOKEN)).toBeNull();
});

const BODY = TOKEN.slice(0, -44);
/** The last character holds 4 bits of the MAC and 2 unused bits. */
const TWIN = String.fromCharCode(TOKEN.charCodeAt(TOKEN.length - 1) + 1);
test.each([
  ['nothing', ''],
  ['an API token', newApiToken().token],
  ['no MAC', BODY],
  ['a cut MAC', TOKEN.slice(0, -1)],
  ['a longer MAC', `${TOKEN}A`],
  ['a MAC of zeros', `${BODY}_${'A'.repeat(43)}`],
  ['another spelling of the same bytes', TOKEN.slice(0, -1) + TWIN],
  ['another generation', TOKEN.replace('_7_', '_8_')],
  ['a generation with a zero in front', TOKEN.replace('_7_', '_07_')],
  ['a generation past any', TOKEN.replace('_7_', '_77777777777_')],
  ['a negative generation', TOKEN.replace('_7_', '_-7_')],
  ['another session', TOKEN.replace(SESSION.slice(4), OTHER.slice(4))],
  ['upper case', TOKEN.replace(SESSION.slice(4), SESSION.slice(4).toUpperCase())],
  ['a line break behind', `${TOKEN}\n`],
  ['a blank in front', ` ${TOKEN}`],
])('refused: %s', (_, token) => {
  expect(tokens.parse(token)).toBeNull();
});

test('an API token is 256 random bits, found by its hash', () => {
  const { token, hash } = newApiToken();
  expect(token).toMatch(/^hr_[\w-]{43}$/);
  expect(hash).toHaveLength(32);
  expect(apiTokenHash(token)).toEqual(hash);
  expect(newApiToken().token).not.toBe(token);
  for (const bad of ['', 'hr_', `${token}A`, token.slice(0, -1), TOKEN, `${token}\n`]) {
    expect(apiTokenHash(bad)).toBeNull();
  }
});
