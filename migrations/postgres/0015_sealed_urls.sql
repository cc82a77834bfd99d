-- The URL of a Slack channel is a secret. A migration can't seal: the server seals the present
-- ones once it runs (maintenance/channels/sealing.ts), and no node of before is connected.
-- Works beside schema 13.

-- The whole URL, sealed with the destination's id; `url` is then its origin and a mask.
ALTER TABLE destinations ADD COLUMN sealed_url bytea;
