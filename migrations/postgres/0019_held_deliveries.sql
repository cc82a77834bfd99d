-- Deliveries that wait for a person because their events couldn't be judged. A node of the
-- version before goes on under this schema: `behind` keeps what waits out of its queue too.
-- Works beside schema 13.

-- Whether it waits for a person. `behind` is true then.
ALTER TABLE open_deliveries ADD COLUMN unjudged boolean NOT NULL DEFAULT false;
