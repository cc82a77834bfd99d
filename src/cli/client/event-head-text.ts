/**
 * Finds the body in an event's JSON, where the server writes it last (`detailText` in the API's
 * views). `"body":` alone could match in `headers`, whose names senders choose. This pattern
 * matches once: strings escape their quotes, and outside of strings only the end of
 * `deliveries` has a bracket before a comma and a quote.
 */
const BODY_FOLLOWS = /\],"body_encoding":"[a-z0-9]{1,16}"(?=,"body":)/;
/** Longest part of the pattern that earlier chunks can hold, characters. */
const LONGEST_BEGUN = '],"body_encoding":"","body":'.length + 16;
/** Longest rest of an answer that is read and dropped to keep the connection, bytes. */
const KEPT_REST_BYTES = 64 * 1024;

/**
 * The JSON of an event without its body, which may have 25 MiB. Stops reading where the body
 * begins. Returns another answer whole and unchanged.
 *
 * @param body the answer's chunks. Errors of reading them pass through
 * @param length size of the answer, bytes; infinite if unknown
 */
export async function eventHeadText(
  body: AsyncIterable<Uint8Array>,
  length: number,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let isComplete = false;
  let read = 0;
  for await (const chunk of body) {
    read += chunk.length;
    if (!isComplete) {
      const from = Math.max(0, text.length - LONGEST_BEGUN);
      text += decoder.decode(chunk, { stream: true });
      const found = BODY_FOLLOWS.exec(text.slice(from));
      if (found) {
        isComplete = true;
        text = `${text.slice(0, from + found.index + found[0].length)}}`;
      }
    }
    if (isComplete && length - read > KEPT_REST_BYTES) break;
  }
  return text;
}
