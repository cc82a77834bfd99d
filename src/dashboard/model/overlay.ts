import { signal } from '@preact/signals';

/** What lies over the page: one thing at a time. */
export const overlay = signal<'help' | 'palette' | 'new-endpoint' | null>(null);

export const closeOverlay = (): void => {
  overlay.value = null;
};
