import { randomBytes } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { HookrelayError } from '../core/errors.ts';
import type { Clock } from '../core/runtime.ts';

const ACCESS_TOKEN_TTL_MS = 15 * 60_000;

const ALGORITHM = 'HS256';
/** RFC 9068: what is signed with the same key for another use can't pass for one. */
const TYPE = 'at+jwt';
const ISSUER = 'hookrelay';
const AUDIENCE = 'hookrelay-api';

/** What a valid access token says. */
export interface AccessTokenClaims {
  userId: string;
  sessionId: string;
  /** Unix ms. */
  expiresAt: number;
}

/** Access tokens: JWTs (RFC 9068) that name an account and its session for 15 minutes. */
export class AccessTokens {
  readonly #clock: Clock;
  /** Imported once: jose would do it for every token, at half of the whole cost. */
  readonly #key: Promise<CryptoKey>;

  constructor(key: Uint8Array, clock: Clock) {
    this.#clock = clock;
    this.#key = crypto.subtle.importKey(
      'raw',
      new Uint8Array(key),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign', 'verify'],
    );
  }

  async issue(userId: string, sessionId: string): Promise<string> {
    const now = this.#clock.now();
    return new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(userId)
      .setJti(randomBytes(16).toString('base64url'))
      .setIssuedAt(new Date(now))
      .setExpirationTime(new Date(now + ACCESS_TOKEN_TTL_MS))
      .sign(await this.#key);
  }

  /** Throws `token_expired` for one that was valid once, `invalid_token` for anything else. */
  async verify(token: string): Promise<AccessTokenClaims> {
    const { sub, sid, exp } = await this.#claims(token);
    // jose checks the issuer and audience that it was told, and expiry only where there is one.
    if (typeof sub !== 'string' || typeof sid !== 'string' || exp === undefined) {
      throw invalidToken();
    }
    return { userId: sub, sessionId: sid, expiresAt: exp * 1000 };
  }

  async #claims(token: string) {
    try {
      const { payload } = await jwtVerify(token, await this.#key, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: ISSUER,
        audience: AUDIENCE,
        currentDate: new Date(this.#clock.now()),
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) {
        throw new HookrelayError('token_expired', 'the access token has expired', {
          hint: 'get a new one from POST /api/auth/refresh',
        });
      }
      if (error instanceof errors.JOSEError) throw invalidToken();
      throw error;
    }
  }
}

function invalidToken(): HookrelayError {
  return new HookrelayError('invalid_token', 'the access token is not valid');
}
