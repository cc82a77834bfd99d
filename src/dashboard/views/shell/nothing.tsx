import type { ComponentChildren } from 'preact';

/** A page for an address that leads nowhere, with a link back. */
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
