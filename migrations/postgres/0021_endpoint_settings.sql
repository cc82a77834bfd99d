-- The settings of an endpoint become one document, as those of a destination are. `settings` is
-- JSON: what differs from the defaults of src/core/settings/endpoint-settings.ts. A new setting
-- needs no migration. Text, not jsonb: a move from SQLite compares both sides byte by byte.
-- `source` stays a column: its secrets are sealed beside it, and issues look for the endpoints
-- that have one.
-- Works beside schema 13.

ALTER TABLE endpoints ADD COLUMN settings text COLLATE "C";

-- JSON functions refuse \u0000 and lone surrogates, which an answer's body may have. Without
-- their backslashes, a document can be taken apart and put together again.
CREATE FUNCTION without_backslashes(document text) RETURNS json
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT replace(replace(replace(document, '~', '~0'), '\\', '~1'), '\u', '~2')::json
$$;
CREATE FUNCTION with_backslashes(part json) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT replace(replace(replace(part::text, '~2', '\u'), '~1', '\\'), '~0', '~')
$$;

-- Nodes of the version before read and write a column for each setting. A change of either side
-- reaches the other. A later migration drops the trigger, these columns but for `retention_ms`
-- and `expect_every_ms`, and lets both be generated: statements select by them.
CREATE FUNCTION match_endpoint_settings() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  chosen json;
BEGIN
  IF NEW.settings IS DISTINCT FROM OLD.settings THEN
    chosen := without_backslashes(NEW.settings);
    NEW.name := with_backslashes(chosen -> 'name')::json #>> '{}';
    NEW.is_active := coalesce((chosen ->> 'is_active')::boolean, true);
    NEW.response := with_backslashes(chosen -> 'response');
    NEW.retention_ms := (chosen ->> 'retention')::bigint;
    NEW.expect_every_ms := (chosen ->> 'expect_every')::bigint;
    NEW.dedupe := with_backslashes(chosen -> 'dedupe');
    NEW.hold_unjudged := coalesce(chosen ->> 'on_unjudged' = 'hold', false);
  ELSE
    -- Settings that have no column stay.
    SELECT with_backslashes(json_object_agg(name, value)) INTO NEW.settings FROM (
      SELECT * FROM json_each(without_backslashes(OLD.settings)) AS kept(name, value)
      WHERE name <> ALL (ARRAY['name', 'is_active', 'response', 'retention', 'expect_every',
        'dedupe', 'on_unjudged'])
      UNION ALL
      VALUES
        ('name', without_backslashes(to_json(NEW.name)::text)),
        ('is_active', to_json(NEW.is_active)),
        ('response', without_backslashes(NEW.response)),
        ('retention', to_json(NEW.retention_ms)),
        ('expect_every', to_json(NEW.expect_every_ms)),
        ('dedupe', without_backslashes(NEW.dedupe)),
        ('on_unjudged', to_json(CASE WHEN NEW.hold_unjudged THEN 'hold' ELSE 'deliver' END))
    ) AS settings(name, value) WHERE value IS NOT NULL;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER endpoint_settings BEFORE INSERT OR UPDATE OF settings, name, is_active, response,
  retention_ms, expect_every_ms, dedupe, hold_unjudged ON endpoints
  FOR EACH ROW EXECUTE FUNCTION match_endpoint_settings();
