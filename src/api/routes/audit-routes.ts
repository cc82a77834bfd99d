import type { AuditEntry } from '../../core/audit.ts';
import type { AuditStore } from '../../store/contract/audit.ts';
import type * as api from '../answers/audit-entry.ts';
import { AUDIT_CALLS } from '../calls/audit-calls.ts';
import { type Route, routesOf } from '../route.ts';
import { windowOf } from '../schemas/page.ts';
import { isoTime } from '../views.ts';

/** The route of the audit. */
export function auditRoutes({ audit }: { audit: Pick<AuditStore, 'list'> }): Route[] {
  return routesOf(AUDIT_CALLS, {
    async 'GET /api/audit'({ principal, query }) {
      const { page, limit, offset } = windowOf(query);
      const { entries, total } = await audit.list(principal.user.id, { offset, limit });
      return { data: entries.map(entryView), page, limit, total };
    },
  });
}

function entryView({ id, at, actor, action, target, changes }: AuditEntry): api.AuditEntry {
  return { id, at: isoTime(at), actor, action, target, changes };
}
