/**
 * Headers by lower-case name, repeated ones joined by `, `. A map, because senders
 * choose the names: `__proto__` is one like any other.
 *
 * @param rawHeaders name, value, name, value …, as Node has them
 */
export function joinedHeaders(rawHeaders: readonly string[]): Map<string, string> {
  const joined = new Map<string, string>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    const value = rawHeaders[i + 1] as string;
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return joined;
}
