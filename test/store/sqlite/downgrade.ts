import type { Database } from 'better-sqlite3';

/**
 * Turns a current database into one that a program with schema 17 would have written. Its attempts
 * must have no packed headers.
 */
export function downgradeToSchema17(db: Database): void {
  db.exec(`
    DROP INDEX filtered_events_uncomparable;
    ALTER TABLE filtered_events DROP COLUMN uncomparable;
    DROP INDEX events_by_status;
    CREATE INDEX events_by_status ON events (endpoint_key, status, seq);
    DROP INDEX attempts_by_event;
    DROP INDEX attempts_of_replays;
    INSERT INTO deliveries (endpoint_key, event_seq, round, destination_key, id, trigger, state,
        attempts, probes)
      SELECT endpoint_key, event_seq, round, destination_key, delivery_id, trigger, 1, attempts,
        probes
      FROM attempts WHERE round IS NOT NULL;
    ALTER TABLE attempts DROP COLUMN round;
    ALTER TABLE attempts DROP COLUMN attempts;
    ALTER TABLE attempts DROP COLUMN probes;
    CREATE UNIQUE INDEX attempts_by_event ON attempts (event_seq, id);
    CREATE INDEX attempts_by_id ON attempts (id);
    PRAGMA user_version = 17`);
}

/** Turns a current database into one that a program with schema 16 would have written. */
export function downgradeToSchema16(db: Database): void {
  downgradeToSchema17(db);
  db.exec(`
    DROP INDEX endpoints_expecting;
    ALTER TABLE endpoints DROP COLUMN retention_ms;
    ALTER TABLE endpoints DROP COLUMN expect_every_ms;
    ALTER TABLE endpoints ADD COLUMN name TEXT NOT NULL DEFAULT '';
    ALTER TABLE endpoints ADD COLUMN is_active INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE endpoints ADD COLUMN response TEXT;
    ALTER TABLE endpoints ADD COLUMN retention_ms INTEGER;
    ALTER TABLE endpoints ADD COLUMN dedupe TEXT;
    ALTER TABLE endpoints ADD COLUMN expect_every_ms INTEGER;
    ALTER TABLE endpoints ADD COLUMN hold_unjudged INTEGER NOT NULL DEFAULT 0;
    UPDATE endpoints SET name = settings ->> '$.name',
      is_active = coalesce(settings ->> '$.is_active', 1),
      response = settings -> '$.response',
      retention_ms = settings ->> '$.retention',
      dedupe = settings -> '$.dedupe',
      expect_every_ms = settings ->> '$.expect_every',
      hold_unjudged = coalesce(settings ->> '$.on_unjudged' = 'hold', 0);
    ALTER TABLE endpoints DROP COLUMN settings;
    CREATE INDEX endpoints_expecting ON endpoints (key) WHERE expect_every_ms IS NOT NULL;
    PRAGMA user_version = 16`);
}

/** Turns a current database into one that a program with schema 13 would have written. */
export function downgradeToSchema13(db: Database): void {
  downgradeToSchema16(db);
  db.exec(`
    DROP INDEX events_unjudged;
    ALTER TABLE events DROP COLUMN unjudged;
    ALTER TABLE open_deliveries DROP COLUMN unjudged;
    ALTER TABLE endpoints DROP COLUMN hold_unjudged;
    ALTER TABLE destinations DROP COLUMN sealed_url;
    DELETE FROM cursors WHERE name IN ('failures', 'rejections');
    PRAGMA user_version = 13`);
}

/** Turns a current database into one that a program with schema 12 would have written. */
export function downgradeToSchema12(db: Database): void {
  downgradeToSchema13(db);
  db.exec(`
    DROP TABLE event_types;
    DELETE FROM sqlite_sequence WHERE name = 'event_types';
    DELETE FROM cursors WHERE name = 'types';
    PRAGMA user_version = 12`);
}

/** Turns a current database into one that a program with schema 11 would have written. */
export function downgradeToSchema11(db: Database): void {
  downgradeToSchema12(db);
  db.exec(`
    DROP TABLE issues;
    DROP TABLE channels;
    DROP TABLE channel_messages;
    DROP TABLE cursors;
    DELETE FROM sqlite_sequence WHERE name IN ('issues', 'channels', 'channel_messages');
    DROP INDEX endpoints_expecting;
    DROP INDEX endpoints_verifying;
    DROP INDEX events_conflicting;
    ALTER TABLE endpoints DROP COLUMN expect_every_ms;
    ALTER TABLE endpoints DROP COLUMN expected_since;
    PRAGMA user_version = 11`);
}

/** Turns a current database into one that a program with schema 10 would have written. */
export function downgradeToSchema10(db: Database): void {
  downgradeToSchema11(db);
  db.exec(`
    DROP TABLE first_events;
    DROP TABLE rejected_requests;
    DELETE FROM sqlite_sequence WHERE name = 'rejected_requests';
    DROP INDEX events_by_verification;
    DROP INDEX events_duplicate;
    ALTER TABLE events DROP COLUMN verification;
    ALTER TABLE events DROP COLUMN proof;
    ALTER TABLE events DROP COLUMN duplicate_of;
    ALTER TABLE events DROP COLUMN duplicate_conflict;
    ALTER TABLE endpoints DROP COLUMN source;
    ALTER TABLE endpoints DROP COLUMN sealed_source_secrets;
    ALTER TABLE endpoints DROP COLUMN dedupe;
    PRAGMA user_version = 10`);
}

/** Turns a current database into one that a program with schema 9 would have written. */
export function downgradeToSchema9(db: Database): void {
  downgradeToSchema10(db);
  db.exec(`
    DROP INDEX open_deliveries_of_replays;
    DROP INDEX deliveries_of_replays;
    DROP INDEX open_deliveries_due;
    DROP INDEX open_deliveries_ordered;
    DROP INDEX open_deliveries_of_jobs;
    ALTER TABLE open_deliveries DROP COLUMN order_key;
    ALTER TABLE open_deliveries DROP COLUMN turn;
    ALTER TABLE open_deliveries DROP COLUMN behind;
    ALTER TABLE open_deliveries DROP COLUMN job_key;
    ALTER TABLE deliveries DROP COLUMN order_key;
    ALTER TABLE deliveries DROP COLUMN job_key;
    CREATE INDEX open_deliveries_due ON open_deliveries (destination_key, next_attempt_at);
    CREATE UNIQUE INDEX open_deliveries_by_id ON open_deliveries (id);
    CREATE UNIQUE INDEX deliveries_by_id ON deliveries (id);
    DROP INDEX destinations_one_off;
    DROP INDEX destinations_present;
    ALTER TABLE destinations DROP COLUMN one_off;
    ALTER TABLE events DROP COLUMN counted_from;
    ALTER TABLE events DROP COLUMN edited_from;
    ALTER TABLE endpoints DROP COLUMN retention_ms;
    DROP TABLE replay_counts;
    ALTER TABLE replay_jobs RENAME TO newer_jobs;
    DROP INDEX replay_jobs_by_turn;
    DROP INDEX replay_jobs_by_user;
    DROP INDEX replay_jobs_by_endpoint;
    CREATE TABLE replay_jobs (
      id           TEXT PRIMARY KEY,
      user_id      TEXT NOT NULL,
      endpoint_key INTEGER NOT NULL,
      filter       TEXT NOT NULL,
      upper_seq    INTEGER NOT NULL,
      created_at   INTEGER NOT NULL,
      turn         INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO replay_jobs
      SELECT id, user_id, endpoint_key, filter, upper_seq, created_at, turn FROM newer_jobs
      WHERE state = 0;
    DROP TABLE newer_jobs;
    CREATE INDEX replay_jobs_by_turn ON replay_jobs (turn, id);
    CREATE INDEX replay_jobs_by_user ON replay_jobs (user_id, turn);
    PRAGMA user_version = 9`);
}

/** Turns a current database into one that a program with schema 2 would have written. */
export function downgradeToSchema2(db: Database): void {
  downgradeToSchema9(db);
  db.exec(`
    ALTER TABLE deliveries RENAME TO settled;
    CREATE TABLE deliveries (
      event_seq       INTEGER NOT NULL,
      round           INTEGER NOT NULL,
      destination_key INTEGER NOT NULL,
      endpoint_key    INTEGER NOT NULL,
      id              TEXT NOT NULL,
      trigger         INTEGER NOT NULL,
      state           INTEGER NOT NULL,
      attempts        INTEGER NOT NULL,
      next_attempt_at INTEGER,
      PRIMARY KEY (event_seq, round, destination_key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX deliveries_due ON deliveries (destination_key, next_attempt_at) WHERE state = 0;
    INSERT INTO deliveries
      SELECT event_seq, round, destination_key, endpoint_key, id, trigger, state, attempts, NULL
      FROM settled
      UNION ALL
      SELECT event_seq, round, destination_key, endpoint_key, id, trigger, 0, attempts,
        next_attempt_at
      FROM open_deliveries;
    DROP TABLE settled;
    DROP TABLE open_deliveries;
    DROP INDEX destinations_held;
    ALTER TABLE destinations DROP COLUMN flow;
    ALTER TABLE destinations DROP COLUMN sealed_headers;
    ALTER TABLE destinations DROP COLUMN sealed_previous_secret;
    ALTER TABLE destinations DROP COLUMN previous_secret_until;
    DROP INDEX attempts_by_id;
    ALTER TABLE attempts DROP COLUMN probe;
    ALTER TABLE attempts DROP COLUMN request_headers;
    ALTER TABLE attempts DROP COLUMN rule_version;
    ALTER TABLE attempts DROP COLUMN health;
    DROP TABLE destination_rules;
    DROP TABLE filtered_events;
    ALTER TABLE endpoints DROP COLUMN filters;
    ALTER TABLE destinations DROP COLUMN rule_version;
    DROP TABLE audit_entries;
    DROP TABLE api_token_endpoints;
    ALTER TABLE api_tokens DROP COLUMN scopes;
    ALTER TABLE api_tokens DROP COLUMN expires_at;
    ALTER TABLE api_tokens DROP COLUMN is_limited;
    ALTER TABLE destinations DROP COLUMN settings;
    ALTER TABLE destinations DROP COLUMN version;
    ALTER TABLE endpoints DROP COLUMN settings_version;
    ALTER TABLE attempts DROP COLUMN destination_url;
    ALTER TABLE attempts DROP COLUMN response_headers;
    DROP INDEX replay_jobs_by_turn;
    DROP INDEX replay_jobs_by_user;
    ALTER TABLE replay_jobs DROP COLUMN user_id;
    ALTER TABLE replay_jobs DROP COLUMN turn;
    ALTER TABLE events DROP COLUMN open;
    ALTER TABLE events DROP COLUMN succeeded;
    ALTER TABLE events DROP COLUMN dead;
    ALTER TABLE events DROP COLUMN failed;
    PRAGMA user_version = 2`);
}
