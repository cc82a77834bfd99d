-- Destinations can be changed. `settings` is JSON: what differs from the defaults of
-- src/core/settings/destination-settings.ts. A new setting needs no migration. Text,
-- not jsonb: a move from SQLite compares both sides byte by byte.
ALTER TABLE destinations ADD COLUMN settings text COLLATE "C" NOT NULL DEFAULT '{}',
  -- Grows with each change of the row's URL, secret or settings.
  ADD COLUMN version integer NOT NULL DEFAULT 1;
-- Grows with each change of the endpoint or of one of its destinations.
ALTER TABLE endpoints ADD COLUMN settings_version integer NOT NULL DEFAULT 1;
-- Where an attempt went: its destination may have another URL by now. Null for
-- attempts made before this column.
ALTER TABLE attempts ADD COLUMN destination_url text COLLATE "C";
