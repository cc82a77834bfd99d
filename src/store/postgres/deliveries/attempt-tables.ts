/** The tables that `ATTEMPT_COLUMNS` reads from. */
export const ATTEMPT_TABLES = `
  FROM attempts a
  JOIN events e ON e.endpoint_key = a.endpoint_key AND e.seq = a.event_seq
  JOIN endpoints p ON p.key = a.endpoint_key
  JOIN destinations d ON d.key = a.destination_key`;
