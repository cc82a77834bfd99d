-- API tokens get scopes (`read`, or `read write`), an expiry and a limit to endpoints.
-- Tokens from before have every right and no end.
ALTER TABLE api_tokens ADD COLUMN scopes text COLLATE "C" NOT NULL DEFAULT 'read write',
  ADD COLUMN expires_at bigint,
  -- A limited token sees the endpoints of its rows below. Without any row it sees none.
  ADD COLUMN is_limited boolean NOT NULL DEFAULT false;

CREATE TABLE api_token_endpoints (
  token_id     text COLLATE "C" NOT NULL REFERENCES api_tokens (id) ON DELETE CASCADE,
  endpoint_key bigint NOT NULL REFERENCES endpoints (key) ON DELETE CASCADE,
  PRIMARY KEY (token_id, endpoint_key)
);
CREATE INDEX api_token_endpoints_by_endpoint ON api_token_endpoints (endpoint_key);

-- The changes that an account made. `number` counts an account's entries from 1, without
-- gaps: the oldest are deleted first. So no query counts or sorts. Actor, target and
-- changes are JSON, as text: a move from SQLite compares both sides byte by byte.
CREATE TABLE audit_entries (
  user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  number  bigint NOT NULL,
  id      text COLLATE "C" NOT NULL,
  at      bigint NOT NULL,
  action  text COLLATE "C" NOT NULL,
  actor   text COLLATE "C" NOT NULL,
  target  text COLLATE "C" NOT NULL,
  changes text COLLATE "C",
  PRIMARY KEY (user_id, number)
);
