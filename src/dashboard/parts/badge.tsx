import type { ComponentChildren } from 'preact';

interface BadgeProps {
  /** Differs by shape, as the look does by colour. */
  mark: string;
  look: string;
  children: ComponentChildren;
}

/** A state in a word, with its mark. */
export function Badge({ mark, look, children }: BadgeProps) {
  return (
    <span class={`badge ${look}`}>
      <span aria-hidden="true">{mark}</span> {children}
    </span>
  );
}
