-- Endpoints may hold what couldn't be judged.
-- Works beside schema 13.

-- Whether deliveries of events that couldn't be judged wait for a person.
ALTER TABLE endpoints ADD COLUMN hold_unjudged boolean NOT NULL DEFAULT false;
