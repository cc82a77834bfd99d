import type { ComponentChildren } from 'preact';

interface BadgeProps {
  /** A sign whose shape shows the state. The colour comes from `look`. */
  mark: string;
  look: string;
  children: ComponentChildren;
}

export function Badge({ mark, look, children }: BadgeProps) {
  return (
    <span class={`badge ${look}`}>
      <span aria-hidden="true">{mark}</span> {children}
    </span>
  );
}
