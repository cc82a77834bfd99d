import type { HandlerPlan } from '../plan.ts';

/**
 * A body of the sample's kind that its Go types surely refuse, and that reaches them: its
 * type of event is the sample's. Null where there is no simple one.
 */
export function unfitBody({ payload, types, sample }: HandlerPlan): string | null {
  const { kind, name, code } = payload;
  if (kind !== 'json' && kind !== 'json-in-form') return null;
  let body: string | null;
  if (types && 'paths' in types.source) {
    body = unfitObject(payload, types.source.paths, types.value);
  } else {
    const header = types && 'header' in types.source ? types.source.header : null;
    const isSent = sample.headers.some(([key, value]) => key === header && value === types?.value);
    const isOfParts = new RegExp(`^type ${name} (?:struct|\\[\\]|map\\[)`, 'm').test(code);
    body = isOfParts && (isSent || header === null) ? '"no object"' : null;
  }
  return body !== null && kind === 'json-in-form' ? `payload=${encodeURIComponent(body)}` : body;
}

/** An object that names its type of event, and has an array at a member that isn't one. */
function unfitObject(
  { name, code }: HandlerPlan['payload'],
  [path = []]: readonly string[][],
  value: string,
): string | null {
  const [, rows = ''] =
    new RegExp(`^type ${name} struct \\{\\n((?:\\t.*\\n)*)`, 'm').exec(code) ?? [];
  const member = [...rows.matchAll(/^\t\w+ +(\S+) +`json:"([^",]+)/gm)].find(
    ([, type = '', key]) => type !== 'any' && !type.startsWith('[]') && key !== path[0],
  )?.[2];
  if (member === undefined) return null;
  const typed = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return JSON.stringify({ ...(typed as object), [member]: [] });
}
