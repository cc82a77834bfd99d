import { HookrelayError } from '../../core/errors.ts';
import { driftStreakOf } from '../../core/issues/drift-streak.ts';
import type { Issue } from '../../core/issues/issue.ts';
import { MOST_TYPES } from '../../core/shapes/most-types.ts';
import type { EventStore } from '../../store/contract/events.ts';
import type { TypeStore } from '../../store/contract/types.ts';
import type { LearningThread } from './learning-thread.ts';

/** How often a shape that is learned meanwhile is accepted again. */
const MOST_TRIES = 20;
/** Events whose bodies are larger have no shape. */
const LARGEST_BODY_BYTES = 256 * 1024;

export interface AcceptDriftParts {
  types: Pick<TypeStore, 'find' | 'save'>;
  events: Pick<EventStore, 'find' | 'content'>;
  thread: LearningThread;
}

/**
 * Learns what an issue of kind `drift` shows: after it, neither the changes that it has noted
 * nor its newest events drift. Call it before the issue is set to `resolved`: the learner
 * relies on that order (`learn-slice.ts`). Does nothing where the type is gone.
 *
 * Throws `overloaded` where the type is learned too fast.
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
  throw new HookrelayError('overloaded', 'the type is being learned', {
    hint: 'resolve the issue again',
    retryAfterS: 1,
  });
}
