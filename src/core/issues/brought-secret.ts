import type { BroughtSecret } from '../proof/source.ts';
import type { ConditionSeen } from './condition-streak.ts';
import { BROUGHT_SECRET, type IssueCause } from './issue.ts';

/** An endpoint with an unconfirmed secret, which came with a handshake. */
export interface BroughtSeen extends BroughtSecret {
  endpointKey: number;
  userId: string;
}

/**
 * Returns whether an issue is about a secret that came with a handshake. A person confirms the
 * secret by resolving the issue.
 */
export function isBroughtSecret({ kind, subject }: Pick<IssueCause, 'kind' | 'subject'>): boolean {
  return kind === 'verification' && subject === BROUGHT_SECRET;
}

export function broughtCondition({ userId, at, eventId }: BroughtSeen): ConditionSeen {
  return { userId, holds: true, sightings: [{ at, eventId }] };
}
