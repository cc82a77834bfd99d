import * as v from 'valibot';
import type { Calls } from '../contract.ts';
import { destinationSchema } from '../destinations/destination-schema.ts';
import { isoTimeSchema } from '../iso-time.ts';
import { pageEntries, pageSchema } from '../list-page-schema.ts';

/** A destination keeps at most this many versions. */
const MAX_LIMIT = 100;

export const ruleVersionSchema = v.object({
  version: v.number(),
  filter: destinationSchema.entries.filter,
  transform: v.null(),
  changed_at: isoTimeSchema,
  changed_by: v.nullable(v.string()),
});

export const RULE_CALLS = {
  'GET /api/endpoints/{id}/destinations/{destinationId}/rules': {
    summary: 'List the versions of a destination’s rule, newest first',
    tag: 'rules',
    access: 'endpoint',
    scope: 'read',
    query: v.object(pageEntries(MAX_LIMIT)),
    response: pageSchema(ruleVersionSchema),
  },
  'POST /api/endpoints/{id}/destinations/{destinationId}/rules/{version}': {
    summary: 'Set an earlier version of the rule again; it becomes the newest version',
    tag: 'rules',
    access: 'endpoint',
    scope: 'write',
    audit: 'destination.update',
    response: ruleVersionSchema,
  },
} as const satisfies Calls;
