-- The texts of forms also hold the fields without their percent-encoding: searches by
-- rule look for texts in them. The index is built again in the background. Searches scan
-- events that it doesn't have yet.
TRUNCATE event_texts;
UPDATE meta SET value = '0' WHERE name = 'search_watermark';
