import { createHmac, timingSafeEqual } from 'node:crypto';

const SESSION_PREFIX = 'ses_';
/** Prefix, the session's id without its own, the generation, the MAC in base64url. */
const FORM = /^hrr_([0-7][0-9a-hjkmnp-tv-z]{25})_(0|[1-9][0-9]{0,9})_([A-Za-z0-9_-]{43})$/;

/** What a refresh token stands for. */
export interface RefreshTokenClaims {
  sessionId: string;
  generation: number;
}

/**
 * Refresh tokens: `hrr_<session>_<generation>_<MAC>`, the MAC being HMAC-SHA256
 * of session and generation under a key of their own.
 *
 * A token proves itself, so none is stored, not even as a hash: the session's
 * row holds the number of the live generation, and who reads the database
 * learns no token. The token of a generation is always the same one. That is
 * what makes a repeated refresh harmless: every answer is the same successor,
 * never a branch.
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
   * Null unless this server issued it. It may be of a session long gone, or of
   * a generation long past: only the session's row knows.
   */
  parse(token: string): RefreshTokenClaims | null {
    const match = FORM.exec(token);
    if (!match) return null;
    const [, session, digits, mac] = match as unknown as [string, string, string, string];
    const generation = Number(digits);
    // As text, not as bytes: base64url has 4 spellings for the last 4 bits.
    const expected = Buffer.from(this.#mac(session, generation));
    if (!timingSafeEqual(Buffer.from(mac), expected)) return null;
    return { sessionId: SESSION_PREFIX + session, generation };
  }

  #mac(session: string, generation: number): string {
    return createHmac('sha256', this.#key).update(`${session}_${generation}`).digest('base64url');
  }
}
