/** Versions of a destination's rule that are kept, the present one included. */
export const RULE_VERSIONS = 100;
