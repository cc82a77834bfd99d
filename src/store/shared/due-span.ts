/** The span of all times at which a delivery may be due. */
export const ALWAYS = { after: Number.MIN_SAFE_INTEGER, before: Number.MAX_SAFE_INTEGER };
