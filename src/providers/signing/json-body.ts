export type JsonObject = Record<string, unknown>;

/** The parsed JSON of a body; undefined for a body that is none. */
export function jsonBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The members of a body that is a JSON object; null for any other. */
export function jsonObject(body: Buffer): JsonObject | null {
  const value = jsonBody(body);
  return isObject(value) ? value : null;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects in a list; none for any other value. */
export function objectsIn(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
