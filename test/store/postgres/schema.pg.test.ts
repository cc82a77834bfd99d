import { expect, test } from 'vitest';
import { makeDatabase, tempDatabase } from '../../fixtures/postgres-database.ts';
import { openNode } from './temp-store.ts';

/*
 * Migrations are immutable: databases out there have run them. A change of this
 * snapshot belongs to a new migration, never to an edited one.
 */
test('the migrations make this schema', async () => {
  const { url, query } = await tempDatabase();
  await (await openNode(url)).close();
  const columns = await query<{ line: string }>(`
    SELECT format('%s.%s %s%s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      CASE WHEN a.attcollation > 0 THEN
        ' COLLATE ' || (SELECT collname FROM pg_collation WHERE oid = a.attcollation) END,
      CASE WHEN a.attnotnull THEN ' NOT NULL' END,
      CASE WHEN a.attidentity <> '' THEN ' IDENTITY' END) AS line
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0
    ORDER BY c.relname, a.attnum`);
  const constraints = await query<{ line: string }>(`
    SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) AS line FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace ORDER BY 1`);
  const indexes = await query<{ line: string }>(
    "SELECT indexdef AS line FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
  );
  const options = await query<{ line: string }>(`
    SELECT relname || ' ' || coalesce(array_to_string(reloptions, ', '), '')
      || CASE WHEN relpersistence = 'u' THEN ' UNLOGGED' ELSE '' END AS line FROM pg_class
    WHERE relnamespace = 'public'::regnamespace
      AND (reloptions IS NOT NULL OR relpersistence = 'u') AND relkind = 'r' ORDER BY 1`);
  const sequences = await query<{ line: string }>(`
    SELECT format('%s %s cache %s', sequencename, data_type, cache_size) AS line
    FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1`);
  const triggers = await query<{ line: string }>(
    'SELECT pg_get_triggerdef(oid) AS line FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1',
  );
  const text = [columns, constraints, indexes, options, sequences, triggers]
    .map((rows) => rows.map(({ line }) => line).join('\n'))
    .join('\n\n');
  await expect(`${text}\n`).toMatchFileSnapshot('schema.snapshot.txt');
});

test('nodes that start at once on an empty database create one schema, with a generation of its own', async () => {
  const seen = new Set<string>();
  for (let round = 1; round <= 3; round++) {
    const database = await makeDatabase();
    const nodes = await Promise.all(Array.from({ length: 4 }, () => openNode(database.url)));
    const generations = new Set(nodes.map(({ generation }) => generation));
    await Promise.all(nodes.map((node) => node.close()));
    await database.drop();
    expect(generations.size).toBe(1);
    for (const generation of generations) seen.add(generation);
    expect(seen.size).toBe(round);
  }
});
