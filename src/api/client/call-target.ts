import type { CallOf, CallTarget } from './typed-call.ts';

type Names = Record<string, string | number | boolean | undefined>;

/**
 * Returns the method of a call, and its path with parameters and query.
 *
 * @param target undefined if the call takes neither
 */
export function callTarget<K extends CallOf>(
  name: K,
  target: CallTarget<K> | undefined,
): { method: string; path: string } {
  const { params, query }: { params?: Names; query?: Names } = target ?? {};
  const [method, path] = name.split(' ') as [string, string];
  const filled = path.replace(/\{(\w+)\}/g, (_, param) =>
    encodeURIComponent(params?.[param] as string),
  );
  return { method, path: filled + queryText(query) };
}

/** The text of a query with its `?`; empty without values. Empty values count as absent. */
export function queryText(query: Names = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}
