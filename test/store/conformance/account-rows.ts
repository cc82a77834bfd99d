import { randomBytes } from 'node:crypto';
import type { AuditEntry } from '../../../src/core/audit.ts';
import { newId } from '../../../src/core/ids.ts';
import type { NewApiToken } from '../../../src/store/contract/api-tokens.ts';
import type { NewAuditEntry } from '../../../src/store/contract/audit.ts';

/** A new API token with every right, and a hash that no other has. */
export function newToken(userId: string, patch: Partial<NewApiToken> = {}): NewApiToken {
  const createdAt = patch.createdAt ?? 1;
  return {
    id: newId('tok', createdAt),
    userId,
    name: 'ci',
    hash: randomBytes(32),
    scopes: ['read', 'write'],
    endpointIds: null,
    createdAt,
    lastUsedAt: null,
    expiresAt: null,
    ...patch,
  };
}

/** A change of an endpoint's name, by a session. */
export function newEntry(userId: string, patch: Partial<NewAuditEntry> = {}): NewAuditEntry {
  const at = patch.at ?? 1;
  return {
    id: newId('aud', at),
    userId,
    at,
    actor: { type: 'session', id: 'ses_1', name: 'ada@example.com', address: '192.0.2.1' },
    action: 'endpoint.update',
    target: { type: 'endpoint', id: 'ep_1', name: 'orders “é”' },
    changes: { name: ['a', 'orders “é”'] },
    ...patch,
  };
}

/** The entry as a list shows it. */
export function shown({ userId: _, ...entry }: NewAuditEntry): AuditEntry {
  return entry;
}
