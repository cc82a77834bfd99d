-- Destinations can be changed. `settings` is JSON: what differs from the defaults of
-- src/core/settings/destination-settings.ts. A new setting needs no migration.
ALTER TABLE destinations ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
-- Grows with each change of the row's URL, secret or settings.
ALTER TABLE destinations ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
-- Grows with each change of the endpoint or of one of its destinations.
ALTER TABLE endpoints ADD COLUMN settings_version INTEGER NOT NULL DEFAULT 1;
-- Where an attempt went: its destination may have another URL by now. NULL for
-- attempts made before this column.
ALTER TABLE attempts ADD COLUMN destination_url TEXT;
