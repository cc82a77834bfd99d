import type { HandlerPlan } from './plan.ts';

/**
 * Returns a body that the payload's type is sure to refuse. Like the sample, it is JSON or a form
 * with JSON, and it has the sample's event type. Returns null if there is no simple body of this
 * kind.
 */
export function unfitBody({ payload, types, sample }: HandlerPlan): string | null {
  const { kind, oneValued } = payload;
  if (oneValued === null || (kind !== 'json' && kind !== 'json-in-form')) return null;
  const source = types?.source ?? null;
  let document: unknown = 'no object';
  if (types && source && 'paths' in source) {
    // The body names its event type, so that the handler parses it. A list stands where the type
    // allows none.
    const [path = []] = source.paths;
    const member = oneValued.find((name) => name !== path[0]);
    if (member === undefined) return null;
    const typed = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), types.value);
    document = { ...(typed as object), [member]: [] };
  } else if (source && 'header' in source) {
    const sent = sample.headers.find(([name]) => name === source.header);
    if (sent?.[1] !== types?.value) return null;
  }
  const json = JSON.stringify(document);
  return kind === 'json-in-form' ? `payload=${encodeURIComponent(json)}` : json;
}
