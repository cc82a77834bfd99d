import type { BroughtSecret } from '../proof/source.ts';
import type { ConditionSeen } from './condition-streak.ts';
import { BROUGHT_SECRET, type IssueCause } from './issue.ts';

/** An endpoint whose secret came with a handshake, and that nobody has confirmed. */
export interface BroughtSeen extends BroughtSecret {
  endpointKey: number;
  userId: string;
}

/**
 * Returns whether an issue is about a secret that a handshake brought. A person confirms the secret
 * by resolving the issue.
 */
export function isBroughtSecret({ kind, subject }: Pick<IssueCause, 'kind' | 'subject'>): boolean {
  return kind === 'verification' && subject === BROUGHT_SECRET;
}

/** Returns a condition that holds until a person confirms the secret. */
export function broughtCondition({ userId, at, eventId }: BroughtSeen): ConditionSeen {
  return { userId, holds: true, sightings: [{ at, eventId }] };
}
