-- The headers of a destination's answer: JSON, [[name, value], …] as they came.
-- NULL where no response began, and for attempts made before this column.
ALTER TABLE attempts ADD COLUMN response_headers TEXT;
