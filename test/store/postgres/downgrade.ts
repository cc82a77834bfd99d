/** SQL that brings a database to schema 20, where endpoints have a column for each setting. */
export const TO_SCHEMA_20 = `
  DROP INDEX filtered_events_uncomparable;
  ALTER TABLE filtered_events DROP COLUMN uncomparable;
  DROP TRIGGER endpoint_settings ON endpoints;
  DROP FUNCTION match_endpoint_settings, without_backslashes, with_backslashes;
  ALTER TABLE endpoints DROP COLUMN settings;
  UPDATE meta SET value = '20' WHERE name = 'schema'`;

/**
 * SQL that brings a database to schema 13: without counts of texts, sealed URLs, the order of
 * rejected requests and unjudged events.
 */
export const TO_SCHEMA_13 = `
  ${TO_SCHEMA_20};
  DROP INDEX events_unjudged;
  ALTER TABLE events DROP COLUMN unjudged;
  ALTER TABLE open_deliveries DROP COLUMN unjudged;
  ALTER TABLE endpoints DROP COLUMN hold_unjudged;
  DROP TRIGGER count_inserted ON event_texts;
  DROP TRIGGER count_deleted ON event_texts;
  DROP TRIGGER count_truncated ON event_texts;
  DROP FUNCTION count_event_texts, forget_event_texts;
  DROP TABLE event_text_counts;
  DELETE FROM meta WHERE name = 'schema_least';
  ALTER TABLE destinations DROP COLUMN sealed_url;
  ALTER TABLE rejected_requests DROP COLUMN event_seq;
  DELETE FROM cursors WHERE name IN ('failures', 'rejected_events');
  CREATE INDEX event_types_by_time ON event_types (endpoint_key, last_at, key);
  ALTER TABLE event_types RESET (fillfactor);
  UPDATE meta SET value = '13' WHERE name = 'schema'`;

/** SQL that brings a database to schema 12, without types. */
export const TO_SCHEMA_12 = `
  ${TO_SCHEMA_13};
  DROP TABLE event_types;
  DELETE FROM cursors WHERE name = 'types';
  UPDATE meta SET value = '12' WHERE name = 'schema'`;

/** SQL that brings a database to schema 11, without issues and channels. */
export const TO_SCHEMA_11 = `
  ${TO_SCHEMA_12};
  DROP TABLE issues, channels, channel_messages, cursors;
  DROP INDEX endpoints_verifying, events_conflicting;
  ALTER TABLE endpoints DROP COLUMN expect_every_ms, DROP COLUMN expected_since;
  UPDATE meta SET value = '11' WHERE name = 'schema'`;

/** SQL that brings a database to schema 10, without sources, keys and rejected requests. */
export const TO_SCHEMA_10 = `
  ${TO_SCHEMA_11};
  DROP TABLE first_events, rejected_requests;
  ALTER TABLE events DROP COLUMN verification, DROP COLUMN proof, DROP COLUMN duplicate_of,
    DROP COLUMN duplicate_conflict;
  ALTER TABLE endpoints DROP COLUMN source, DROP COLUMN sealed_source_secrets,
    DROP COLUMN dedupe;
  UPDATE meta SET value = '10' WHERE name = 'schema'`;

/** SQL that brings a database to schema 9, without order, jobs that stay, and one-off URLs. */
export const TO_SCHEMA_9 = `
  ${TO_SCHEMA_10};
  ALTER TABLE open_deliveries DROP COLUMN order_key, DROP COLUMN turn, DROP COLUMN behind,
    DROP COLUMN held, DROP COLUMN job_key;
  DROP TABLE ended_claims;
  CREATE INDEX open_deliveries_due ON open_deliveries (destination_key, next_attempt_at);
  ALTER TABLE deliveries DROP COLUMN order_key, DROP COLUMN job_key;
  DROP SEQUENCE order_turns;
  DROP TABLE replay_counts;
  ALTER TABLE destinations DROP COLUMN one_off;
  ALTER TABLE events DROP COLUMN counted_from, DROP COLUMN edited_from;
  ALTER TABLE endpoints DROP COLUMN retention_ms;
  ALTER TABLE replay_jobs DROP COLUMN key, DROP COLUMN destinations, DROP COLUMN state,
    DROP COLUMN after_seq, DROP COLUMN matching;
  ALTER TABLE replay_jobs ADD PRIMARY KEY (id);
  DROP INDEX replay_jobs_by_id;
  CREATE INDEX replay_jobs_by_turn ON replay_jobs (turn, id);
  CREATE INDEX replay_jobs_by_user ON replay_jobs (user_id, turn);
  UPDATE meta SET value = '9' WHERE name = 'schema'`;

/** SQL that brings a database to schema 8, where `deliveries` holds open ones too. */
export const TO_SCHEMA_8 = `
  ${TO_SCHEMA_9};
  CREATE TABLE deliveries_8 AS
    SELECT event_seq, round, destination_key, endpoint_key, id, trigger, 0::smallint AS state,
      attempts, next_attempt_at, lease_until, token FROM open_deliveries
    UNION ALL
    SELECT event_seq, round, destination_key, endpoint_key, id, trigger, state, attempts, NULL, 0,
      2 * attempts FROM deliveries;
  DROP TABLE open_deliveries, deliveries, failed_events;
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
