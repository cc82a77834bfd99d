import { endpointPath, place, withQuery } from '../../model/router.ts';
import { isJsonRule, withCondition } from '../../text/rule-text.ts';
import type { LineOf } from './line-of.ts';
import { ruleOfValue } from './rule-path.ts';

/**
 * Returns the address of a list of the events that have the same value at this path. Returns null
 * if there is none, such as for an object or an array.
 */
export function filterLink({ text, index, node, isMany, endpointId }: LineOf): string | null {
  const condition = isMany || endpointId === null ? null : ruleOfValue(text, index, node);
  if (condition === null) return null;
  const { path, query } = place.value;
  const rule = query.get('where') ?? '';
  const where = isJsonRule(rule) ? condition : withCondition(rule, condition);
  const list = path === '/events' ? path : endpointPath(endpointId as string);
  return withQuery({ path: list, query }, { where, event: null, tab: null, q: null });
}
