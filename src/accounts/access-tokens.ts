import { randomBytes } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { HookrelayError } from '../core/errors.ts';
import type { Clock } from '../core/runtime/runtime.ts';

const ACCESS_TOKEN_TTL_MS = 15 * 60_000;

const ALGORITHM = 'HS256';
/** The `typ` of an access token (RFC 9068). A JWT for another use of the same key lacks it. */
const TYPE = 'at+jwt';
const ISSUER = 'hookrelay';
const AUDIENCE = 'hookrelay-api';

/** The claims of a valid access token. */
export interface AccessTokenClaims {
  userId: string;
  sessionId: string;
  /** Unix ms. */
  expiresAt: number;
}

/** Access tokens: JWTs (RFC 9068) that name an account and its session for 15 minutes. */
export class AccessTokens {
  readonly #clock: Clock;
  /** Imported once. jose would otherwise import it for each token, in half of the token's time. */
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

  /** Throws `token_expired` for an expired token, and `invalid_token` for any other invalid one. */
  async verify(token: string): Promise<AccessTokenClaims> {
    const { sub, sid, exp } = await this.#claims(token);
    // jose checks issuer and audience. It checks an expiry only if the token has one.
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
