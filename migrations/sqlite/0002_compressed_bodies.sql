-- Large bodies are kept as Zstandard frames (RFC 8878): this is how many bytes
-- such a body has, and NULL where it lies in its row as it was received.
ALTER TABLE event_contents ADD COLUMN uncompressed_size INTEGER;
