/**
 * Returns headers by lower-case name. The values of a repeated header are joined by `, `. The
 * result is a map, because a sender may use the name `__proto__`.
 *
 * @param rawHeaders name, value, name, value …, as in Node
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
