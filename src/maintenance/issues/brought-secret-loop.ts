import { type BroughtSeen, broughtCondition } from '../../core/issues/brought-secret.ts';
import { BROUGHT_SECRET } from '../../core/issues/issue.ts';
import { ConditionLoop, type ConditionLoopParts } from './condition-loop.ts';

const EVERY_MS = 1000;

/** Opens and closes issues of endpoints that took a secret from a handshake. */
export function createBroughtSecretLoop(parts: ConditionLoopParts): ConditionLoop<BroughtSeen> {
  return new ConditionLoop({
    ...parts,
    name: 'looking for unconfirmed secrets',
    everyMs: EVERY_MS,
    condition: {
      kind: 'verification',
      subject: BROUGHT_SECRET,
      page: (afterKey, limit) => parts.issues.broughtSecrets(afterKey, limit),
      judge: broughtCondition,
    },
  });
}
