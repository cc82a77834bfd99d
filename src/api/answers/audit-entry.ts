import type { AuditActor, AuditChanges, AuditTarget } from '../../core/audit.ts';

/** A change of the account or of one of its things. */
export interface AuditEntry {
  id: string;
  at: string;
  actor: AuditActor;
  /** A stable name, such as `endpoint.update`. */
  action: string;
  target: AuditTarget;
  changes: AuditChanges | null;
}
