/** A text as one word of a command line for a POSIX shell, quoted where that is needed. */
export function shellWord(text: string): string {
  if (/^[\w./:=,+-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
