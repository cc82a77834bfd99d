/** Returns the own member at a path of a parsed body, or `undefined` if there is none. */
export function memberAt(body: unknown, ...path: readonly string[]): unknown {
  let value = body;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
      return undefined;
    }
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
