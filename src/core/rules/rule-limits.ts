/* Limits of one rule. They bound the time and the stack of judging an event. */

export const MAX_CONDITIONS = 500;
export const MAX_DEPTH = 32;
/** Compiled steps of all regular expressions of a rule: a text may be matched against each. */
export const MAX_PROGRAMS = 2000;
/** Most steps of a path. Each is a level of the JSON form, and the rule itself is one more. */
export const MAX_STEPS = 31;

export const TOO_MUCH_REGEX = 'the regular expressions of a rule are too large in total';
