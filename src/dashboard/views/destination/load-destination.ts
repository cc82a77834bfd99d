import type { CallParams } from '../../../api/client/typed-call.ts';
import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';
import { asTyped } from '../../model/as-typed.ts';
import { session } from '../../model/page.ts';
import { withRuleText } from '../../text/shown-rule.ts';
import type { DestinationInput } from './destination-form.ts';

export type DestinationParams = CallParams<'GET /api/endpoints/{id}/destinations/{destinationId}'>;

/**
 * Loads a destination with its filter as text. Numbers in a rule may have more digits than
 * `JSON.parse` keeps.
 */
export async function loadDestination(
  params: DestinationParams,
  signal?: AbortSignal,
): Promise<DestinationAnswer> {
  const answer = await session.request('GET /api/endpoints/{id}/destinations/{destinationId}', {
    params,
    ...(signal && { signal }),
  });
  return withRuleText<DestinationAnswer>(await answer.text());
}

/** Changes a destination. Returns the changed destination. */
export async function patchDestination(
  params: DestinationParams,
  change: DestinationInput,
): Promise<DestinationAnswer> {
  const answer = await session.request('PATCH /api/endpoints/{id}/destinations/{destinationId}', {
    params,
    body: asTyped(change),
  });
  return withRuleText<DestinationAnswer>(await answer.text());
}
