import type { Client } from '../accounts/accounts.ts';
import type { Principal } from '../accounts/principal.ts';
import {
  AUDIT_MAX_ENTRIES,
  type AuditAction,
  type AuditActor,
  type AuditTarget,
} from '../core/audit.ts';
import { newId } from '../core/ids.ts';
import type { User } from '../core/model.ts';
import type { Clock, Logger } from '../core/runtime/runtime.ts';
import type { AuditStore, NewAuditEntry } from '../store/contract/audit.ts';
import type { AuditNote, PublicAuditNote } from './audit-note.ts';

/** Shortest time between two entries for wrong passwords of an account, ms. */
const WRONG_PASSWORD_QUIET_MS = 60_000;

export interface AuditLogOptions {
  store: AuditStore;
  clock: Clock;
  log: Logger;
}

/**
 * Writes the audit. Each entry has its own commit after its change, because the store's
 * operations don't know their caller. If that commit fails, the change stands, and the server
 * logs the error.
 */
export class AuditLog {
  readonly #options: AuditLogOptions;

  constructor(options: AuditLogOptions) {
    this.#options = options;
  }

  /** Never throws. */
  async write(
    action: AuditAction,
    who: Pick<Principal, 'user' | 'sessionId' | 'apiToken'> | PublicAuditNote['by'],
    { target, changes = null }: AuditNote,
    address: string,
  ): Promise<void> {
    await this.#add({ action, userId: who.user.id, actor: actorOf(who, address), target, changes });
  }

  /**
   * Writes a change that no signed-in person made. Never throws.
   *
   * @param name the provider of a handshake, or the address that was confirmed
   */
  async bySystem(
    action: AuditAction,
    userId: string,
    name: string,
    { target, changes = null }: AuditNote,
  ): Promise<void> {
    const actor: AuditActor = { type: 'system', id: null, name, address: null };
    await this.#add({ action, userId, actor, target, changes });
  }

  /** Returns at once: a wrong password must take as long for an unknown account. */
  wrongPassword(user: User, { address }: Client): void {
    const actor: AuditActor = { type: 'session', id: null, name: user.email, address };
    const entry = { userId: user.id, actor, target: accountTarget(user), changes: null };
    void this.#add({ action: 'auth.login_failed', ...entry }, WRONG_PASSWORD_QUIET_MS);
  }

  async #add(entry: Omit<NewAuditEntry, 'id' | 'at'>, quietMs = 0): Promise<void> {
    const { store, clock, log } = this.#options;
    const at = clock.now();
    try {
      await store.add({ id: newId('aud', at), at, ...entry }, { most: AUDIT_MAX_ENTRIES, quietMs });
    } catch (error) {
      log.error('an audit entry could not be written', {
        action: entry.action,
        account: entry.userId,
        error,
      });
    }
  }
}

/** The account itself as the target of a change. */
export function accountTarget({ id, email }: Pick<User, 'id' | 'email'>): AuditTarget {
  return { type: 'account', id, name: email };
}

function actorOf(
  who: Pick<Principal, 'user' | 'sessionId' | 'apiToken'> | PublicAuditNote['by'],
  address: string,
): AuditActor {
  const token = 'apiToken' in who ? who.apiToken : null;
  if (token) return { type: 'token', id: token.id, name: token.name, address };
  return { type: 'session', id: who.sessionId, name: who.user.email, address };
}
