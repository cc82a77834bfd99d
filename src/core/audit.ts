/** The actions that the audit records. Clients filter by these names, so a name never changes. */
const AUDIT_ACTIONS = [
  'auth.register',
  'auth.login',
  'auth.login_failed',
  'auth.logout',
  'auth.password',
  'auth.password_reset',
  'account.plan',
  'session.delete',
  'token.create',
  'token.delete',
  'endpoint.create',
  'endpoint.update',
  'endpoint.delete',
  'endpoint.replay',
  'destination.create',
  'destination.update',
  'destination.delete',
  'destination.probe',
  'destination.discard',
  'destination.rotate_secret',
  'delivery.retry',
  'delivery.cancel',
  'event.replay',
  'event.edit',
  'event.delete',
  'event.test',
  'event.accept',
  'replay.cancel',
  'issue.update',
  'channel.create',
  'channel.update',
  'channel.delete',
  'channel.test',
  'channel.confirm',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** How long an entry is kept, ms. */
export const AUDIT_KEPT_MS = 365 * 86_400_000;
/** How many entries an account has at most. One more replaces the oldest. */
export const AUDIT_MAX_ENTRIES = 100_000;

/** Who made a change. */
export interface AuditActor {
  /**
   * How the actor signed in. `system` is an actor without a session and a token: the operator (by a
   * command on the data), a provider (by its handshake), or the owner of an email address (by the
   * confirmation link).
   */
  type: 'session' | 'token' | 'system';
  /** Id of the session or the API token. Null if there is none. */
  id: string | null;
  /** The account's email, the token's name, `operator`, the provider or the email address. */
  name: string | null;
  /** The client's address. Null for the system. */
  address: string | null;
}

/** What was changed. */
export interface AuditTarget {
  type:
    | 'account'
    | 'session'
    | 'token'
    | 'endpoint'
    | 'destination'
    | 'delivery'
    | 'event'
    | 'replay'
    | 'issue'
    | 'channel';
  id: string;
  /** The target's name at that time. Null if the target has none. */
  name: string | null;
}

/** Values before and after a change, by field. Secrets are masked. */
export type AuditChanges = Record<string, [before: unknown, after: unknown]>;

export interface AuditEntry {
  id: string;
  /** Unix ms. */
  at: number;
  actor: AuditActor;
  action: AuditAction;
  target: AuditTarget;
  changes: AuditChanges | null;
}
