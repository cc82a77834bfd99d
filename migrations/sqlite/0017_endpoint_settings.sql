-- The settings of an endpoint become one document, as those of a destination are. `settings` is
-- JSON: what differs from the defaults of src/core/settings/endpoint-settings.ts. A new setting
-- needs no migration. `source` stays a column: its secrets are sealed beside it, and issues look
-- for the endpoints that have one.
ALTER TABLE endpoints ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
UPDATE endpoints SET settings = '{"name":' || json_quote(name)
  || iif(is_active, '', ',"is_active":false')
  || coalesce(',"response":' || response, '')
  || coalesce(',"retention":' || retention_ms, '')
  || coalesce(',"expect_every":' || expect_every_ms, '')
  || coalesce(',"dedupe":' || dedupe, '')
  || iif(hold_unjudged, ',"on_unjudged":"hold"', '') || '}';
DROP INDEX endpoints_expecting;
ALTER TABLE endpoints DROP COLUMN name;
ALTER TABLE endpoints DROP COLUMN is_active;
ALTER TABLE endpoints DROP COLUMN response;
ALTER TABLE endpoints DROP COLUMN retention_ms;
ALTER TABLE endpoints DROP COLUMN dedupe;
ALTER TABLE endpoints DROP COLUMN expect_every_ms;
ALTER TABLE endpoints DROP COLUMN hold_unjudged;
-- What statements select by. Both follow from the document.
ALTER TABLE endpoints ADD COLUMN retention_ms INTEGER AS (settings ->> '$.retention') VIRTUAL;
ALTER TABLE endpoints ADD COLUMN expect_every_ms INTEGER AS (settings ->> '$.expect_every') VIRTUAL;
CREATE INDEX endpoints_expecting ON endpoints (key) WHERE expect_every_ms IS NOT NULL;
