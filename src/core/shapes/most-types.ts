/** How many types of event one endpoint may have. Events of further types are ignored. */
export const MOST_TYPES = 500;
