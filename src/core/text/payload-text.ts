/** GitHub's other content type and Slack's interactivity send their JSON in this field. */
const PAYLOAD_FIELD = 'payload';

/** Matches a text that may be a JSON object or array. Any other JSON text has only one value. */
export const MAY_BE_CONTAINER = /^\s*[[{]/;

/**
 * Returns the text of a form's only `payload` field, if it begins like a JSON object or array.
 * Returns null for other forms. Callers must parse the text. If it isn't JSON, it is a field like
 * any other.
 */
export function payloadText(form: URLSearchParams): string | null {
  const [text, ...more] = form.getAll(PAYLOAD_FIELD);
  return text !== undefined && more.length === 0 && MAY_BE_CONTAINER.test(text) ? text : null;
}
