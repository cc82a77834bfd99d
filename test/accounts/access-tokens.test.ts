import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { AccessTokens } from '../../src/accounts/access-tokens.ts';
import { newApiToken } from '../../src/accounts/api-tokens.ts';
import { RefreshTokens } from '../../src/accounts/refresh-tokens.ts';
import { Keys } from '../../src/core/secrets/keys.ts';
import { codeOf, TestClock } from './account-setup.ts';

const MINUTE_MS = 60_000;
const keys = new Keys(randomBytes(32));
const clock = new TestClock();
const tokens = new AccessTokens(keys.accessTokens, clock);
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

const HEADER = { alg: 'HS256', typ: 'at+jwt' };
const NOW_S = Math.floor(clock.now() / 1000);
const CLAIMS = {
  iss: 'hookrelay',
  aud: 'hookrelay-api',
  sub: 'usr_1',
  sid: 'ses_1',
  jti: 'x',
  iat: NOW_S,
  exp: NOW_S + 900,
};

/** A token like ours with these values; `undefined` omits a claim. */
function forged(
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  key: Parameters<SignJWT['sign']>[0] = keys.accessTokens,
): Promise<string> {
  return new SignJWT({ ...CLAIMS, ...claims })
    .setProtectedHeader({ ...HEADER, ...header } as typeof HEADER)
    .sign(key);
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function decoded(token: string, index: number): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[index] as string, 'base64url').toString());
}

test('an issued token has its claims, and verifies', async () => {
  const token = await tokens.issue('usr_1', 'ses_1');
  expect(decoded(token, 0)).toEqual(HEADER);
  expect(decoded(token, 1)).toEqual({ ...CLAIMS, jti: expect.stringMatching(/^[\w-]{22}$/) });
  expect(decoded(await tokens.issue('usr_1', 'ses_1'), 1).jti).not.toBe(decoded(token, 1).jti);
  expect(await tokens.verify(token)).toEqual({
    userId: 'usr_1',
    sessionId: 'ses_1',
    expiresAt: clock.now() + 15 * MINUTE_MS,
  });
});

test('a token lives 15 minutes by the given clock', async () => {
  const later = new TestClock();
  const own = new AccessTokens(keys.accessTokens, later);
  const token = await own.issue('usr_1', 'ses_1');
  later.advance(15 * MINUTE_MS - 1);
  expect((await own.verify(token)).userId).toBe('usr_1');
  later.advance(1);
  expect(await codeOf(own.verify(token))).toBe('token_expired');
});

test('the forger of these tests can make a valid token', async () => {
  expect((await tokens.verify(await forged())).userId).toBe('usr_1');
});

test.each<[string, () => string | Promise<string>]>([
  ['nothing', () => ''],
  ['no JWT', () => 'a.b.c'],
  ['four parts', async () => `${await forged()}.x`],
  [
    'a refresh token',
    () => new RefreshTokens(keys.refreshTokens).issue(`ses_${'0'.repeat(26)}`, 0),
  ],
  ['an API token', () => newApiToken().token],
  ['no signature', async () => (await forged()).replace(/[^.]*$/, '')],
  ['alg none', () => `${part({ ...HEADER, alg: 'none' })}.${part(CLAIMS)}.`],
  ['alg None', () => `${part({ ...HEADER, alg: 'None' })}.${part(CLAIMS)}.`],
  ['HS512', () => forged({}, { alg: 'HS512' }, randomBytes(64))],
  [
    'HS512 by our key',
    () =>
      forged({}, { alg: 'HS512' }, new Uint8Array([...keys.accessTokens, ...keys.accessTokens])),
  ],
  ['RS256', () => forged({}, { alg: 'RS256' }, rsa.privateKey)],
  ['another key', () => forged({}, {}, randomBytes(32))],
  ['the refresh tokens’ key', () => forged({}, {}, keys.refreshTokens)],
  ['another type', () => forged({}, { typ: 'JWT' })],
  ['no type', () => forged({}, { typ: undefined })],
  [
    'an unknown critical header',
    () => `${part({ ...HEADER, crit: ['x'], x: 1 })}.${part(CLAIMS)}.AAAA`,
  ],
  ['another issuer', () => forged({ iss: 'hookrelay2' })],
  ['no issuer', () => forged({ iss: undefined })],
  ['another audience', () => forged({ aud: 'hookrelay' })],
  ['no audience', () => forged({ aud: undefined })],
  ['no expiry', () => forged({ exp: undefined })],
  ['expiry as text', () => forged({ exp: String(CLAIMS.exp) })],
  ['no subject', () => forged({ sub: undefined })],
  ['a subject that is no text', () => forged({ sub: 1 })],
  ['no session', () => forged({ sid: undefined })],
  ['a session that is no text', () => forged({ sid: ['ses_1'] })],
  ['not yet valid', () => forged({ nbf: NOW_S + 60 })],
  ['expired, by another key', () => forged({ exp: NOW_S - 1 }, {}, randomBytes(32))],
  ['expired, of another audience', () => forged({ exp: NOW_S - 1, aud: 'x' })],
])('refused as invalid: %s', async (_, make) => {
  expect(await codeOf(tokens.verify(await make()))).toBe('invalid_token');
});

test('another account’s claims under our signature are refused', async () => {
  const [header, , signature] = (await forged()).split('.');
  const token = `${header}.${part({ ...CLAIMS, sub: 'usr_2' })}.${signature}`;
  expect(await codeOf(tokens.verify(token))).toBe('invalid_token');
});
