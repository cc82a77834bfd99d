/** The tables that `ATTEMPT_COLUMNS` needs. */
export const ATTEMPT_TABLES = `
  FROM attempts a
  CROSS JOIN events e ON e.endpoint_key = a.endpoint_key AND e.seq = a.event_seq
  CROSS JOIN endpoints p ON p.key = a.endpoint_key
  CROSS JOIN destinations d ON d.key = a.destination_key`;
