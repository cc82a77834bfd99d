/* Limits of one rule, so that judging an event takes bounded time and stack. */

export const MAX_CONDITIONS = 500;
export const MAX_DEPTH = 32;
/** Steps of all regular expressions of a rule: the text is matched against each. */
export const MAX_PROGRAMS = 2000;
/** Most steps of a path. Each is a level of the JSON form, and the rule around it is one. */
export const MAX_STEPS = 31;

export const TOO_MUCH_REGEX = 'the regular expressions of a rule are too large together';
