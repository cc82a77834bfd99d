-- The headers of a destination's answer: JSON, [[name, value], …] as they came.
-- Null where no response began, and for attempts made before this column.
ALTER TABLE attempts ADD COLUMN response_headers text COLLATE "C";
