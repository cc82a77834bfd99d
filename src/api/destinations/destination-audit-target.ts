import type { AuditTarget } from '../../core/audit.ts';
import type { Destination } from '../../core/model.ts';

export function destinationAuditTarget({ id, url, settings }: Destination): AuditTarget {
  return { type: 'destination', id, name: settings.name ?? url };
}
