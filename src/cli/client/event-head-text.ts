/**
 * Finds the place in an event's JSON where the body begins. The server writes the body last
 * (`detailText` in the API's views). Searching for `"body":` alone isn't safe: senders choose the
 * names in `headers`, so it could match there. This pattern matches in one place only. Inside
 * strings, quotes are escaped. Outside of strings, only the end of `deliveries` has a bracket
 * followed by a comma and a quote.
 */
const BODY_FOLLOWS = /\],"body_encoding":"[a-z0-9]{1,16}"(?=,"body":)/;
/** How much of the pattern earlier chunks can hold at most, characters. */
const LONGEST_BEGUN = '],"body_encoding":"","body":'.length + 16;
/** A rest of at most this size, bytes, is read and dropped to keep the connection open. */
const KEPT_REST_BYTES = 64 * 1024;

/**
 * Returns the JSON of an event without its body, which may have 25 MiB. Stops reading where the
 * body begins. Returns any other answer whole and unchanged.
 *
 * @param body the chunks of the answer. Throws the errors of reading them unchanged
 * @param length the size of the answer, bytes. Infinite if unknown
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
