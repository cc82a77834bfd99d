import type { Destination } from '../../../api/answers/destination.ts';
import { session } from '../../model/page.ts';
import { withRuleText } from '../../text/rules/shown-rule.ts';

/**
 * A destination with its filter as text: numbers of a rule may have more digits than
 * `JSON.parse` keeps.
 */
export async function loadDestination(path: string, signal?: AbortSignal): Promise<Destination> {
  const answer = await session.request('GET', path, signal ? { signal } : {});
  return withRuleText<Destination>(await answer.text());
}

/** Changes a destination. Returns it as the server has it then. */
export async function patchDestination(path: string, body: unknown): Promise<Destination> {
  const answer = await session.request('PATCH', path, { body });
  return withRuleText<Destination>(await answer.text());
}
