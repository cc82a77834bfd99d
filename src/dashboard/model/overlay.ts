import { signal } from '@preact/signals';

type Overlay = 'help' | 'palette' | 'new-endpoint';

/** What lies over the page: one thing at a time. */
export const overlay = signal<Overlay | null>(null);

export function openOverlay(which: Overlay): void {
  overlay.value = which;
}

/** Ends one. The browser tells of a dialog's end late, when the next may be open already. */
export function closeOverlay(which: Overlay): void {
  if (overlay.value === which) overlay.value = null;
}
