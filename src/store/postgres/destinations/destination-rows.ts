/** The id that views show of `destinations d`: none of a one-off URL. */
export const SHOWN_DESTINATION_ID = 'CASE WHEN d.one_off THEN NULL ELSE d.id END';

/** Columns of `destinations d` for a `ClaimedDestinationRow`. */
export const CLAIMED_DESTINATION_COLUMNS = `d.key, ${SHOWN_DESTINATION_ID} AS id, d.timed_out AS "timedOut",
  d.settings, d.flow`;
