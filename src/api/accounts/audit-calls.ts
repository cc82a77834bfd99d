import * as v from 'valibot';
import { about } from '../about.ts';
import type { Calls } from '../contract.ts';
import { isoTimeSchema } from '../iso-time.ts';
import { pageEntries, pageSchema } from '../list-page-schema.ts';
import { pair } from '../pair.ts';

/** The largest page. An entry can take kilobytes, and the store reads a page at once. */
const MAX_LIMIT = 200;

export const entrySchema = v.object({
  id: v.string(),
  at: isoTimeSchema,
  actor: about(
    v.object({
      type: v.picklist(['session', 'token', 'system']),
      id: v.nullable(v.string()),
      name: v.nullable(v.string()),
      address: v.nullable(v.string()),
    }),
    'Who made the change. `system` is the operator of this server.',
  ),
  action: about(v.string(), 'A stable name, such as `endpoint.update`.'),
  target: v.object({ type: v.string(), id: v.string(), name: v.nullable(v.string()) }),
  changes: about(
    v.nullable(v.record(v.string(), pair(v.unknown()))),
    'Value before and after the change, by field. Secrets are masked.',
  ),
});

export const AUDIT_CALLS = {
  'GET /api/audit': {
    summary: 'List the changes that were made to the account, newest first',
    tag: 'audit',
    access: 'account',
    scope: 'read',
    query: v.object(pageEntries(MAX_LIMIT)),
    response: pageSchema(entrySchema),
  },
} as const satisfies Calls;
