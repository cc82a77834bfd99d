import type { CallOf, CallTarget } from './typed-call.ts';

type Names = Record<string, string | number | boolean | undefined>;

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

/** Returns the query with its `?`, or an empty text without values. Skips empty values. */
export function queryText(query: Names = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}
