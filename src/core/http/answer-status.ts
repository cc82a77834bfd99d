/** Statuses with neither a body (RFC 9110, section 6.4.1) nor a content-length. */
const BODILESS_STATUSES: ReadonlySet<number> = new Set([204, 304]);

/** A status with `content-length: 0` instead of a body (RFC 9110, section 15.3.6). */
export const RESET_CONTENT = 205;

/** Statuses that redirect to the URL in `location` (RFC 9110, section 15.4). */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function hasNoContent(status: number): boolean {
  return BODILESS_STATUSES.has(status);
}

export function isBodiless(status: number): boolean {
  return BODILESS_STATUSES.has(status) || status === RESET_CONTENT;
}

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}
