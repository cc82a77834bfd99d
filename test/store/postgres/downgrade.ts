/** SQL that brings a database to schema 8, where `deliveries` holds open ones too. */
export const TO_SCHEMA_8 = `
  CREATE TABLE deliveries_8 AS
    SELECT event_seq, round, destination_key, endpoint_key, id, trigger, 0::smallint AS state,
      attempts, next_attempt_at, lease_until, token FROM open_deliveries
    UNION ALL
    SELECT event_seq, round, destination_key, endpoint_key, id, trigger, state, attempts, NULL, 0,
      2 * attempts FROM deliveries;
  DROP TABLE open_deliveries, deliveries, failed_events;
  DROP SEQUENCE order_turns;
  ALTER TABLE deliveries_8 RENAME TO deliveries;
  ALTER TABLE deliveries ADD PRIMARY KEY (event_seq, round, destination_key);
  CREATE INDEX deliveries_due ON deliveries (destination_key, next_attempt_at, event_seq)
    WHERE state = 0;
  CREATE INDEX events_by_status ON events (endpoint_key, status, seq);
  ALTER TABLE destinations DROP COLUMN flow, DROP COLUMN sealed_headers,
    DROP COLUMN sealed_previous_secret, DROP COLUMN previous_secret_until;
  ALTER TABLE attempts DROP COLUMN probe, DROP COLUMN request_headers, DROP COLUMN rule_version,
    DROP COLUMN health;
  DROP INDEX attempts_by_id;
  UPDATE meta SET value = '8' WHERE name = 'schema'`;
