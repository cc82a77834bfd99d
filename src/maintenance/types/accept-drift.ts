import { HookrelayError } from '../../core/errors.ts';
import { driftStreakOf } from '../../core/issues/drift-streak.ts';
import type { Issue } from '../../core/issues/issue.ts';
import { MOST_TYPES } from '../../core/shapes/most-types.ts';
import type { EventStore } from '../../store/contract/events.ts';
import type { TypeStore } from '../../store/contract/types.ts';
import { LARGEST_BODY_BYTES, type LearningThread } from './learning-thread.ts';

/** The tries if the learner changes the type's shape at the same time. */
const MOST_TRIES = 20;

export interface AcceptDriftParts {
  types: Pick<TypeStore, 'find' | 'save'>;
  events: Pick<EventStore, 'find' | 'content'>;
  thread: LearningThread;
}

/**
 * Accepts a drift. Neither the recorded changes nor the contents of the issue's newest events count
 * as drift afterwards. Call it before you resolve the issue, because the learner relies on that
 * order (see `learn-slice.ts`). Does nothing if the type is gone.
 *
 * Throws `overloaded` if the learner keeps changing the type.
 */
export async function acceptDrift(
  issue: Pick<Issue, 'endpointKey' | 'subject' | 'eventIds' | 'streak'>,
  { types, events, thread }: AcceptDriftParts,
): Promise<void> {
  const { endpointKey, subject, eventIds } = issue;
  const bodies: Uint8Array[] = [];
  for (const id of eventIds) {
    const event = await events.find(endpointKey, id);
    if (!event || event.size > LARGEST_BODY_BYTES) continue;
    const content = await events.content(event.seq);
    if (content) bodies.push(content.body);
  }
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const type = await types.find(endpointKey, subject);
    if (!type?.shape) return;
    const drifts = driftStreakOf(issue).changes;
    const shape = await thread.accept({ shape: type.shape, drifts, bodies });
    if (await types.save({ added: [], changed: [{ ...type, shape }] }, MOST_TYPES)) return;
  }
  throw new HookrelayError('overloaded', 'the type changes too fast', {
    hint: 'resolve the issue again',
    retryAfterS: 1,
  });
}
