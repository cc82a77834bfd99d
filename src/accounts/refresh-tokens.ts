import { createHmac, timingSafeEqual } from 'node:crypto';

const SESSION_PREFIX = 'ses_';
/** The prefix, the session id without `ses_`, the generation, and the MAC in base64url. */
const FORM = /^hrr_([0-7][0-9a-hjkmnp-tv-z]{25})_(0|[1-9][0-9]{0,9})_([A-Za-z0-9_-]{43})$/;

/** Claims of a refresh token. */
export interface RefreshTokenClaims {
  sessionId: string;
  generation: number;
}

/**
 * Refresh tokens: `hrr_<session>_<generation>_<MAC>`. The MAC is the HMAC-SHA256 of session and
 * generation. Its key has no other use.
 *
 * The MAC proves that a token is genuine, so the store keeps no token, not even a hash of one. It
 * keeps only the number of the live generation, in the session's row. So somebody who reads the
 * database learns no token. The same generation always has the same token, so a repeated refresh is
 * harmless: each answer holds the same successor.
 */
export class RefreshTokens {
  readonly #key: Uint8Array;

  /** @param key 32 bytes, used for nothing else */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** @param sessionId a TypeID with the prefix `ses_` */
  issue(sessionId: string, generation: number): string {
    const session = sessionId.slice(SESSION_PREFIX.length);
    return `hrr_${session}_${generation}_${this.#mac(session, generation)}`;
  }

  /**
   * Parses a token. Returns null if this server didn't issue it. The session or the generation of a
   * valid token may have ended: only the session's row shows that.
   */
  parse(token: string): RefreshTokenClaims | null {
    const match = FORM.exec(token);
    if (!match) return null;
    const [, session, digits, mac] = match as unknown as [string, string, string, string];
    const generation = Number(digits);
    // Compares the texts, not the bytes, because base64url can spell the last 4 bits in 4 ways.
    const expected = Buffer.from(this.#mac(session, generation));
    if (!timingSafeEqual(Buffer.from(mac), expected)) return null;
    return { sessionId: SESSION_PREFIX + session, generation };
  }

  #mac(session: string, generation: number): string {
    return createHmac('sha256', this.#key).update(`${session}_${generation}`).digest('base64url');
  }
}
