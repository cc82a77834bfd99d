import type { BroughtSecret } from '../proof/source.ts';
import type { ConditionSeen } from './condition-streak.ts';
import { BROUGHT_SECRET, type IssueCause } from './issue.ts';

/** An endpoint with a secret that nobody has confirmed. */
export interface BroughtSeen extends BroughtSecret {
  endpointKey: number;
  userId: string;
}

/** Whether an issue is about a handshake's secret, which a person confirms by resolving it. */
export function isBroughtSecret({ kind, subject }: Pick<IssueCause, 'kind' | 'subject'>): boolean {
  return kind === 'verification' && subject === BROUGHT_SECRET;
}

/** Holds until a person confirms the secret. */
export function broughtCondition({ userId, at, eventId }: BroughtSeen): ConditionSeen {
  return { userId, holds: true, sightings: [{ at, eventId }] };
}
