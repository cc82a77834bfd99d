/**
 * Matches the end of an event's head in its JSON. The server writes the body last (`detailText` in
 * the API). `"body":` alone isn't safe, because senders choose the names in `headers`. This pattern
 * can't match there, because strings escape their quotes. Outside of strings, only the end of
 * `deliveries` has a bracket followed by a comma and a quote.
 */
const BODY_FOLLOWS = /\],"body_encoding":"[a-z0-9]{1,16}"(?=,"body":)/;
/** The longest part of the pattern that earlier chunks can contain, characters. */
const LONGEST_BEGUN = '],"body_encoding":"","body":'.length + 16;
/** A rest of at most this size is read and dropped to keep the connection open, bytes. */
const KEPT_REST_BYTES = 64 * 1024;

/**
 * Returns the JSON of an event without its body, which may have 25 MiB. Stops reading where the
 * body begins. Returns any other answer unchanged.
 *
 * @param length the size of the answer, bytes; infinite if unknown
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
