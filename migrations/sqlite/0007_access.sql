-- API tokens get scopes (`read`, or `read write`), an expiry and a limit to endpoints.
-- Tokens from before have every right and no end.
ALTER TABLE api_tokens ADD COLUMN scopes TEXT NOT NULL DEFAULT 'read write';
ALTER TABLE api_tokens ADD COLUMN expires_at INTEGER;
-- A limited token sees the endpoints of its rows below. Without any row it sees none.
ALTER TABLE api_tokens ADD COLUMN is_limited INTEGER NOT NULL DEFAULT 0;

CREATE TABLE api_token_endpoints (
  token_id     TEXT NOT NULL REFERENCES api_tokens (id) ON DELETE CASCADE,
  endpoint_key INTEGER NOT NULL REFERENCES endpoints (key) ON DELETE CASCADE,
  PRIMARY KEY (token_id, endpoint_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX api_token_endpoints_by_endpoint ON api_token_endpoints (endpoint_key);

-- The changes that an account made. `number` counts an account's entries from 1, without
-- gaps: the oldest are deleted first. So no query counts or sorts. Actor, target and
-- changes are JSON.
CREATE TABLE audit_entries (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  number  INTEGER NOT NULL,
  id      TEXT NOT NULL,
  at      INTEGER NOT NULL,
  action  TEXT NOT NULL,
  actor   TEXT NOT NULL,
  target  TEXT NOT NULL,
  changes TEXT,
  PRIMARY KEY (user_id, number)
) STRICT, WITHOUT ROWID;
