-- Endpoints from before the trigger get their document, by it. It is apart from its column, so
-- that captures read endpoints meanwhile. An account has few endpoints.
-- Works beside schema 13.

UPDATE endpoints SET name = name;
ALTER TABLE endpoints ALTER COLUMN settings SET NOT NULL;
