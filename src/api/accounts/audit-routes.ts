import type { AuditEntry } from '../../core/audit.ts';
import type { AuditStore } from '../../store/contract/audit.ts';
import { isoTime } from '../iso-time.ts';
import { windowOf } from '../list-page-schema.ts';
import { type Route, routesOf } from '../route.ts';
import { AUDIT_CALLS } from './audit-calls.ts';
import type * as api from './audit-entry-answer.ts';

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

function entryView({ id, at, actor, action, target, changes }: AuditEntry): api.AuditEntryAnswer {
  return { id, at: isoTime(at), actor, action, target, changes };
}
