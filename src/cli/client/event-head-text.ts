/**
 * What stands between all else of an event and its body, as the server orders
 * them (`eventDetailText` in http/views.ts). The body's name alone would also be
 * found in `headers`, where senders give the names. This can't be there: a quote
 * inside a text is escaped, and outside of texts a bracket stands before a comma
 * and a quote only where `deliveries` ends.
 */
const BODY_FOLLOWS = /\],"body_encoding":"[a-z0-9]{1,16}"(?=,"body":)/;
/** How much of that may have come with earlier pieces, characters. */
const LONGEST_BEGUN = '],"body_encoding":"","body":'.length + 16;
/** A rest of an answer that is read and thrown away, to keep the connection, bytes. */
const KEPT_REST_BYTES = 64 * 1024;

/**
 * The JSON of an event without its body, which may be 25 MiB and is shown
 * re-encoded there: reading ends where it begins. An answer that is no event is
 * read to its end and given as it is.
 *
 * @param body the answer, as it comes; throws what reading it throws
 * @param length of the answer, bytes; infinite when it isn't known
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
