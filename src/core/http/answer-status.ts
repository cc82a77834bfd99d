/** Statuses without a body (RFC 9110, section 6.4.1), and without a content-length. */
const BODILESS_STATUSES: ReadonlySet<number> = new Set([204, 304]);

/** A status without a body, but with `content-length: 0` (RFC 9110, section 15.3.6). */
export const RESET_CONTENT = 205;

/** Statuses that send the client to the URL in `location` (RFC 9110, section 15.4). */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns whether an answer with this status has neither a body nor a content-length. */
export function hasNoContent(status: number): boolean {
  return BODILESS_STATUSES.has(status);
}

/** Returns whether an answer with this status has no body. */
export function isBodiless(status: number): boolean {
  return BODILESS_STATUSES.has(status) || status === RESET_CONTENT;
}

/** Returns whether an answer with this status needs a `location`. */
export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}
