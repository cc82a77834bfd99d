import * as v from 'valibot';
import { about } from '../about.ts';
import { isoTimeSchema } from '../iso-time.ts';

export const systemSchema = v.object({
  version: v.string(),
  node_version: v.string(),
  store: v.picklist(['SQLite', 'PostgreSQL']),
  started_at: isoTimeSchema,
  disk: about(
    v.nullable(v.object({ free_bytes: v.number(), total_bytes: v.number() })),
    'The disk of the data directory. Null with PostgreSQL, which keeps its own.',
  ),
  database_bytes: v.number(),
  index: v.object({
    behind: about(v.number(), 'Events that the search index lacks.'),
  }),
  checks: v.array(
    v.object({
      name: v.string(),
      state: v.picklist(['ok', 'warn', 'fail']),
      text: v.string(),
      hint: about(v.nullable(v.string()), 'The next step.'),
    }),
  ),
});
