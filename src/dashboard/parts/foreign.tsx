import { foreignParts } from '../text/foreign-text.ts';

interface ForeignProps {
  text: string;
  /** Hidden characters that aren't escaped. */
  kept?: string;
  /** The class of a span around the text. */
  class?: string;
  title?: string;
}

/**
 * Shows a text from a sender, or a name that somebody chose. The text can't reorder the text around
 * it, and its hidden characters are shown as escapes.
 */
export function Foreign({ text, kept, class: look, title }: ForeignProps) {
  const shown = (
    <bdi>
      {foreignParts(text, kept).map((part, i) =>
        part.isEscape ? (
          <span key={i} class="escape" title="A character that is not visible">
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </bdi>
  );
  if (look === undefined) return shown;
  return (
    <span class={look} title={title}>
      {shown}
    </span>
  );
}
