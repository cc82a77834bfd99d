-- Events that a filter dropped because an operator can't take a value, such as a text that is no
-- number in a comparison with a number. A node of the version before goes on under this schema:
-- what it doesn't write is null.
-- Works beside schema 13.

-- The keys of the destinations whose filters did, as JSON. Null for any other event.
ALTER TABLE filtered_events ADD COLUMN uncomparable text COLLATE "C";
