/** The parsed JSON of a body; undefined for a body that is none. */
export function jsonBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The members of a body that is a JSON object; null for any other. */
export function jsonObject(body: Buffer): Record<string, unknown> | null {
  const value = jsonBody(body);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : null;
}
