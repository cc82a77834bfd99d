import * as v from 'valibot';
import { isoTimeSchema } from '../iso-time.ts';

export const systemSchema = v.object({
  version: v.string(),
  node_version: v.string(),
  store: v.picklist(['SQLite', 'PostgreSQL']),
  started_at: isoTimeSchema,
  disk: v.pipe(
    v.nullable(v.object({ free_bytes: v.number(), total_bytes: v.number() })),
    v.description('The disk of the data directory. Null with PostgreSQL, which keeps its own.'),
  ),
  database_bytes: v.number(),
  index: v.object({
    behind: v.pipe(v.number(), v.description('Events that the search index lacks.')),
  }),
  checks: v.array(
    v.object({
      name: v.string(),
      state: v.picklist(['ok', 'warn', 'fail']),
      text: v.string(),
      hint: v.pipe(v.nullable(v.string()), v.description('The next step.')),
    }),
  ),
});
