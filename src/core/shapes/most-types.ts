/** Types of one endpoint. Events of further types aren't learned from. */
export const MOST_TYPES = 500;
