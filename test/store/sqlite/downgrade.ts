import type { Database } from 'better-sqlite3';

/** Turns a current database into one that a program with schema 2 would have written. */
export function downgradeToSchema2(db: Database): void {
  db.exec(`
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
