import type { ComponentChildren } from 'preact';

/** A page for an unknown address, with links back. */
export function Nothing({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h1>{title}</h1>
      {children}
      <p>
        <a href="/">Overview</a> · <a href="/events">All events</a>
      </p>
    </div>
  );
}
