/** Most types of one endpoint. Events of further types are ignored. */
export const MOST_TYPES = 500;
