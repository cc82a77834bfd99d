import { foreignParts } from '../text/foreign-text.ts';

interface ForeignProps {
  text: string;
  /** Hidden characters that stay as they are. */
  kept?: string;
}

/**
 * A value from a sender, or a name that somebody chose. It can't change the order of the
 * text around it, and what it hides is shown as escapes.
 */
export function Foreign({ text, kept }: ForeignProps) {
  return (
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
}
