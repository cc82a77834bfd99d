import { foreignParts } from '../text/foreign-text.ts';

interface ForeignProps {
  text: string;
  /** Hidden characters that are shown unescaped. */
  kept?: string;
  /** The class of a span around the text. */
  class?: string;
  title?: string;
}

/**
 * Shows text that a stranger chose, such as a sender's body or a name. The text can't reorder the
 * text around it. Its hidden characters are shown as escapes.
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
