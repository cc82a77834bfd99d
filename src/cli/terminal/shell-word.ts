/** Quotes a text as one word for a POSIX shell, if needed. */
export function shellWord(text: string): string {
  if (/^[\w./:=,+-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
