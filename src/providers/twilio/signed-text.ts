/** The largest number of fields in a form. Twilio sends a few dozen. */
const MOST_FIELDS = 500;

/**
 * Returns a form's names and values as Twilio signs them: sorted by name. The distinct values of a
 * repeated name are sorted, too. Returns null if the form has too many fields.
 */
export function signedFields(body: Buffer): string | null {
  if (!hasFewFields(body)) return null;
  const values = new Map<string, Set<string>>();
  for (const [name, value] of new URLSearchParams(body.toString('utf8'))) {
    const known = values.get(name);
    if (known) known.add(value);
    else values.set(name, new Set([value]));
  }
  // Both sorts compare code units. The documentation calls this "Unix-style case-sensitive order".
  return [...values.keys()]
    .sort()
    .flatMap((name) => [...(values.get(name) as Set<string>)].sort().map((one) => name + one))
    .join('');
}

function hasFewFields(body: Buffer): boolean {
  let fields = 1;
  for (let at = body.indexOf(0x26); at >= 0; at = body.indexOf(0x26, at + 1)) {
    fields += 1;
    if (fields > MOST_FIELDS) return false;
  }
  return true;
}

/** Returns the body's SHA-256 in the URL of a JSON request, or null for any other request. */
export function bodyHashIn(url: string): string | null {
  const at = url.indexOf('?');
  return at < 0 ? null : new URLSearchParams(url.slice(at + 1)).get('bodySHA256');
}
