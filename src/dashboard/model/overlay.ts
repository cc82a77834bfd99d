import { signal } from '@preact/signals';

type Overlay = 'help' | 'palette' | 'new-endpoint';

/** The overlay above the page. At most one is open. */
export const overlay = signal<Overlay | null>(null);

export function openOverlay(which: Overlay): void {
  overlay.value = which;
}

/**
 * Closes this overlay. Does nothing if another one is open: the browser reports the end of a dialog
 * late.
 */
export function closeOverlay(which: Overlay): void {
  if (overlay.value === which) overlay.value = null;
}
