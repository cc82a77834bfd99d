import { signal } from '@preact/signals';

type Overlay = 'help' | 'palette' | 'new-endpoint';

/** The overlay over the page. At most one is open. */
export const overlay = signal<Overlay | null>(null);

export function openOverlay(which: Overlay): void {
  overlay.value = which;
}

/** Closes an overlay. The browser reports a dialog's end late, when another overlay may be open. */
export function closeOverlay(which: Overlay): void {
  if (overlay.value === which) overlay.value = null;
}
