/** Any time that a delivery may be due at. */
export const ALWAYS = { after: Number.MIN_SAFE_INTEGER, before: Number.MAX_SAFE_INTEGER };
