import type { Database } from 'better-sqlite3';

/** Turns a current database into one that a program with schema 2 would have written. */
export function downgradeToSchema2(db: Database): void {
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
