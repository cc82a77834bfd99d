import type { ComponentChildren } from 'preact';

interface ViewHeadProps {
  title: ComponentChildren;
  /** A few words about the view. */
  what?: ComponentChildren;
  /** Buttons. At most one is primary. */
  actions?: ComponentChildren;
}

/** The head of a view: its title, a few words, and its actions. */
export function ViewHead({ title, what, actions }: ViewHeadProps) {
  return (
    <div class="view-head">
      <h1>{title}</h1>
      {what && <div class="view-what">{what}</div>}
      {actions && <div class="view-actions">{actions}</div>}
    </div>
  );
}
