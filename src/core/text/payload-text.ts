/** The field in which GitHub (as a form) and Slack (interactivity) send their JSON. */
const PAYLOAD_FIELD = 'payload';

/** Matches a text that may be a JSON object or array. */
export const MAY_BE_CONTAINER = /^\s*[[{]/;

/**
 * Returns the text of a form's only `payload` field if it begins like a JSON object or array. Null
 * for other forms. Callers must parse the text. If parsing fails, the field is ordinary text.
 */
export function payloadText(form: URLSearchParams): string | null {
  const [text, ...more] = form.getAll(PAYLOAD_FIELD);
  return text !== undefined && more.length === 0 && MAY_BE_CONTAINER.test(text) ? text : null;
}
