import { escapeControls } from '../../core/text/escape-controls.ts';

/** Escapes control characters of typed or received text. Keeps line breaks. */
export function escapeLines(text: string): string {
  return text.split('\n').map(escapeControls).join('\n');
}
