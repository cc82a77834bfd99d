export type JsonObject = Record<string, unknown>;

/** Returns undefined if the body isn't JSON. */
export function jsonBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Returns null if the body isn't a JSON object. */
export function jsonObject(body: Buffer): JsonObject | null {
  const value = jsonBody(body);
  return isObject(value) ? value : null;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects in a list. Returns an empty list if the value isn't a list. */
export function objectsIn(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
