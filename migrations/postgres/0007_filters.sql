-- Destinations filter events. Captures of an endpoint without filters need no verdict:
-- `filters` counts its present destinations that have one.
ALTER TABLE endpoints ADD COLUMN filters integer NOT NULL DEFAULT 0;
-- Grows with each change of the destination's filter. 0: it never had one.
ALTER TABLE destinations ADD COLUMN rule_version integer NOT NULL DEFAULT 0;
-- The filters that destinations had, the present one included.
CREATE TABLE destination_rules (
  destination_key bigint NOT NULL,
  version integer NOT NULL,
  filter text COLLATE "C",
  changed_at bigint NOT NULL,
  -- The email of the account, or the name of its API token.
  changed_by text COLLATE "C",
  PRIMARY KEY (destination_key, version)
);
-- What filters dropped at capture, one row an event: JSON [[id, destination_key, version], …].
CREATE TABLE filtered_events (
  endpoint_key bigint NOT NULL,
  event_seq bigint NOT NULL,
  dropped text COLLATE "C" NOT NULL,
  PRIMARY KEY (endpoint_key, event_seq)
);
