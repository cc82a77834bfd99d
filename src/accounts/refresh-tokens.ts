import { createHmac, timingSafeEqual } from 'node:crypto';

const SESSION_PREFIX = 'ses_';
/** Prefix, session id without `ses_`, generation, MAC in base64url. */
const FORM = /^hrr_([0-7][0-9a-hjkmnp-tv-z]{25})_(0|[1-9][0-9]{0,9})_([A-Za-z0-9_-]{43})$/;

/** Claims of a refresh token. */
export interface RefreshTokenClaims {
  sessionId: string;
  generation: number;
}

/**
 * Refresh tokens: `hrr_<session>_<generation>_<MAC>`. The MAC is HMAC-SHA256 of
 * session and generation under a key of its own.
 *
 * The MAC proves a token, so none is stored, not even as a hash. The session's row
 * holds the number of the live generation: a reader of the database learns no
 * token. A generation always has the same token. A repeated refresh is therefore
 * harmless: every answer has the same successor, never a branch.
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
   * Parses a token. Null unless this server issued it. Its session or generation may
   * have ended: only the session's row knows.
   */
  parse(token: string): RefreshTokenClaims | null {
    const match = FORM.exec(token);
    if (!match) return null;
    const [, session, digits, mac] = match as unknown as [string, string, string, string];
    const generation = Number(digits);
    // Compares text, not bytes: base64url has 4 spellings for the last 4 bits.
    const expected = Buffer.from(this.#mac(session, generation));
    if (!timingSafeEqual(Buffer.from(mac), expected)) return null;
    return { sessionId: SESSION_PREFIX + session, generation };
  }

  #mac(session: string, generation: number): string {
    return createHmac('sha256', this.#key).update(`${session}_${generation}`).digest('base64url');
  }
}
