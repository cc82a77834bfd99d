-- How many texts each endpoint has in the search index. A search compares it with the
-- events, and so notices events that the index lacks: it reads them too, and answers no
-- less. Triggers count, because a node of the version before writes texts too.
-- Works beside schema 13.

-- As `event_counts`: a count is the sum over its slots.
CREATE TABLE event_text_counts (
  endpoint_key bigint NOT NULL,
  slot         smallint NOT NULL,
  count        bigint NOT NULL,
  PRIMARY KEY (endpoint_key, slot)
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 100, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_cost_delay = 0);

CREATE FUNCTION count_event_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_text_counts AS c (endpoint_key, slot, count)
  SELECT endpoint_key, pg_backend_pid() % 8,
    CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
  FROM changed GROUP BY endpoint_key ORDER BY endpoint_key
  ON CONFLICT (endpoint_key, slot) DO UPDATE SET count = c.count + excluded.count;
  RETURN NULL;
END $$;

CREATE FUNCTION forget_event_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM event_text_counts;
  RETURN NULL;
END $$;

-- These lock `event_texts` until the count below is committed.
CREATE TRIGGER count_inserted AFTER INSERT ON event_texts
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_event_texts();
CREATE TRIGGER count_deleted AFTER DELETE ON event_texts
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_event_texts();
CREATE TRIGGER count_truncated AFTER TRUNCATE ON event_texts
  FOR EACH STATEMENT EXECUTE FUNCTION forget_event_texts();

INSERT INTO event_text_counts
SELECT endpoint_key, 0, count(*) FROM event_texts GROUP BY endpoint_key;
