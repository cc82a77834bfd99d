/** Quotes a text if needed, so that a POSIX shell reads it as one word. */
export function shellWord(text: string): string {
  if (/^[\w./:=,+-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
