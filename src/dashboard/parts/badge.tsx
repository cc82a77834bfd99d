import type { ComponentChildren } from 'preact';

interface BadgeProps {
  /** A sign that tells the state by its shape. The colour comes from `look`. */
  mark: string;
  look: string;
  children: ComponentChildren;
}

/** A state as a word, with its sign. */
export function Badge({ mark, look, children }: BadgeProps) {
  return (
    <span class={`badge ${look}`}>
      <span aria-hidden="true">{mark}</span> {children}
    </span>
  );
}
