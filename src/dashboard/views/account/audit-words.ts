import type { AuditEntryAnswer } from '../../../api/accounts/audit-entry-answer.ts';

const DID: Record<AuditEntryAnswer['action'], string> = {
  'auth.register': 'Account created',
  'auth.login': 'Signed in',
  'auth.login_failed': 'Sign-in refused',
  'auth.logout': 'Signed out',
  'auth.password': 'Password changed',
  'auth.password_reset': 'Password reset',
  'account.plan': 'Plan changed',
  'session.delete': 'Session ended',
  'token.create': 'Token created',
  'token.delete': 'Token revoked',
  'endpoint.create': 'Endpoint created',
  'endpoint.update': 'Endpoint changed',
  'endpoint.delete': 'Endpoint deleted',
  'endpoint.replay': 'Events replayed',
  'destination.create': 'Destination added',
  'destination.update': 'Destination changed',
  'destination.delete': 'Destination removed',
  'destination.probe': 'Destination probed',
  'destination.discard': 'Waiting deliveries discarded',
  'destination.rotate_secret': 'Secret rotated',
  'delivery.retry': 'Delivery retried',
  'delivery.cancel': 'Delivery cancelled',
  'event.replay': 'Event replayed',
  'event.edit': 'Event edited and sent',
  'event.delete': 'Event deleted',
  'event.test': 'Test event sent',
  'event.accept': 'Refused request accepted',
  'replay.cancel': 'Replay cancelled',
  'issue.update': 'Issue changed',
  'channel.create': 'Channel added',
  'channel.update': 'Channel changed',
  'channel.delete': 'Channel removed',
  'channel.test': 'Channel tested',
  'channel.confirm': 'Address confirmed',
};

/** Returns an action in words, or the action's name if the page doesn't know the action. */
export const didText = (action: string): string =>
  (DID as Record<string, string | undefined>)[action] ?? action;

/** The choices of the audit's filter: a single action, or all actions of a kind. */
export const ACTION_FILTERS: readonly (readonly [value: string, text: string])[] = [
  ['', 'every change'],
  ['auth.', 'sign-ins and password'],
  ['session.', 'sessions'],
  ['token.', 'tokens'],
  ['endpoint.', 'endpoints'],
  ['destination.', 'destinations'],
  ['delivery.', 'deliveries'],
  ['event.', 'events'],
  ['replay.', 'replays'],
  ['issue.', 'issues'],
  ['channel.', 'channels'],
  ['account.', 'plan'],
];

type Actor = AuditEntryAnswer['actor'];

/** Returns a key that identifies an actor in the filter. All sessions count as one actor. */
export function actorKey({ type, id, name }: Actor): string {
  return type === 'session' ? 'session' : `${type} ${id ?? name ?? ''}`;
}

/** Returns who made a change: `ada@example.com`, `token ci`, `operator`. */
export function actorName({ type, name }: Actor): string {
  return type === 'token' ? `token ${name}` : (name ?? type);
}
