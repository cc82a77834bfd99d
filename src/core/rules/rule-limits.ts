/* Limits of one rule. They limit the time and the stack that judging an event needs. */

export const MAX_CONDITIONS = 500;
export const MAX_DEPTH = 32;
/** How many compiled steps a rule's regular expressions may have in total. Each may test a text. */
export const MAX_PROGRAMS = 2000;
/** The longest path, steps. Each is a level of the JSON form, and the rule itself is one more. */
export const MAX_STEPS = 31;

export const TOO_MUCH_REGEX = 'the regular expressions of a rule are too large in total';
