/**
 * Characters that can attack a terminal or a log viewer. They are C0 and C1 controls, DEL, Unicode
 * line separators and marks that reorder text. Controls make escape sequences and forged lines.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Returns a stranger's text with each control character as `\uXXXX`, safe for a terminal. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
