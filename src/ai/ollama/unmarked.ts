/**
 * Returns a model's words without Markdown's marks: emphasis, code, headings, quotes, bullets. The
 * words are shown as plain text. Checks read the same text, because removing marks can join the
 * parts of a word.
 */
export function unmarked(text: string): string {
  return text
    .replace(/^[ \t]*(?:#{1,6}|>{1,3}|[-*+])[ \t]+/gm, '')
    .replace(/`+|~{2,}|\*{2,}/g, '')
    .replace(/(?<!\w)[*_]{1,3}(?=\w)|(?<=[\w.!?])[*_]{1,3}(?!\w)/g, '');
}
