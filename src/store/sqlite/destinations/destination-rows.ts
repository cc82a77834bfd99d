/** The id of `destinations d` outside of the store: null for a one-off URL. */
export const SHOWN_DESTINATION_ID = 'CASE d.one_off WHEN 0 THEN d.id END';

/** Columns of `destinations d` for a `ClaimedDestinationRow`. */
export const CLAIMED_DESTINATION_COLUMNS = `d.key, ${SHOWN_DESTINATION_ID} AS id, d.timed_out AS timedOut, d.settings, d.flow`;
