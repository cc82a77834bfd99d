import * as v from 'valibot';
import type { AuditEntry } from '../../core/audit.ts';
import type { AuditStore } from '../../store/contract/audit.ts';
import type * as api from '../answers/audit-entry.ts';
import { type Route, route } from '../route.ts';
import { pageEntries, pageSchema, windowOf } from '../schemas/page.ts';
import { isoTime, isoTimeSchema } from '../views.ts';

/** An entry may have kilobytes, and the store reads a page in one piece. */
const MAX_LIMIT = 200;

const entrySchema = v.object({
  id: v.string(),
  at: isoTimeSchema,
  actor: v.pipe(
    v.object({
      type: v.picklist(['session', 'token', 'system']),
      id: v.nullable(v.string()),
      name: v.nullable(v.string()),
      address: v.nullable(v.string()),
    }),
    v.description('Who made the change. `system` is the operator of this server.'),
  ),
  action: v.pipe(v.string(), v.description('A stable name, such as `endpoint.update`.')),
  target: v.object({ type: v.string(), id: v.string(), name: v.nullable(v.string()) }),
  changes: v.pipe(
    v.nullable(v.record(v.string(), v.array(v.unknown()))),
    v.description('Value before and after the change, by field. Secrets are masked.'),
  ),
});

/** The route of the audit. */
export function auditRoutes({ audit }: { audit: Pick<AuditStore, 'list'> }): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/audit',
      summary: 'List the changes that were made to the account, newest first',
      tag: 'audit',
      access: 'account',
      scope: 'read',
      query: v.object(pageEntries(MAX_LIMIT)),
      status: 200,
      response: pageSchema(entrySchema),
      async handle({ principal, query }) {
        const { page, limit, offset } = windowOf(query);
        const { entries, total } = await audit.list(principal.user.id, { offset, limit });
        return { data: entries.map(entryView), page, limit, total };
      },
    }),
  ];
}

function entryView({ id, at, actor, action, target, changes }: AuditEntry): api.AuditEntry {
  return { id, at: isoTime(at), actor, action, target, changes };
}
