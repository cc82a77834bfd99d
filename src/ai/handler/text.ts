/** Pieces of code, one blank line between them and never more; empty ones leave nothing. */
export function joined(...pieces: (string | null)[]): string {
  return `${pieces
    .map((piece) => piece?.replace(/^\n+|\s+$/g, '').replaceAll(/\n{3,}/g, '\n\n') ?? '')
    .filter((piece) => piece !== '')
    .join('\n\n')}\n`;
}

/** Lines as comments: `prefix` begins each; a tab stands right after it, as gofmt wants. */
export function comment(prefix: string, lines: readonly string[]): string {
  return lines
    .map((line) => `${prefix}${line.startsWith('\t') ? '' : ' '}${line}`.trimEnd())
    .join('\n');
}
