/** GitHub's other content type and Slack's interactivity send their JSON in this field. */
const PAYLOAD_FIELD = 'payload';

/** A text that may be a JSON object or array. Any other JSON text has one value at most. */
export const MAY_BE_CONTAINER = /^\s*[[{]/;

/**
 * The text of a form's only `payload` field, if it begins like a JSON object or array.
 * Null for other forms. Callers parse it: text that isn't JSON is a field like the others.
 */
export function payloadText(form: URLSearchParams): string | null {
  const [text, ...more] = form.getAll(PAYLOAD_FIELD);
  return text !== undefined && more.length === 0 && MAY_BE_CONTAINER.test(text) ? text : null;
}
