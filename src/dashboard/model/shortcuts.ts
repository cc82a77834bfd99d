import { useLayoutEffect } from 'preact/hooks';

export interface Shortcut {
  /** The keys as shown: `j`, `?`, `g e`. */
  keys: string;
  title: string;
  group: string;
  run(): void;
}

/** Time between the keys of a sequence such as `g e`, ms. */
const SEQUENCE_MS = 1500;

const active = new Set<Shortcut[]>();
let prefix = '';
let prefixAt = 0;

/** The active shortcuts, for the list that `?` shows. */
export function activeShortcuts(): Shortcut[] {
  return [...active].flat();
}

/** Adds shortcuts while the component is mounted. The latest component wins. */
export function useShortcuts(shortcuts: Shortcut[]): void {
  // A layout effect runs before the paint, so a visible component reacts to its keys.
  useLayoutEffect(() => {
    active.add(shortcuts);
    return () => void active.delete(shortcuts);
  });
}

/** Whether the user is typing: keys are then text, not shortcuts. */
function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

export function listenForShortcuts(): void {
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isWriting(event.target) || document.querySelector('dialog[open]')) return;
    const keys =
      prefix !== '' && Date.now() - prefixAt < SEQUENCE_MS ? `${prefix} ${event.key}` : event.key;
    const all = activeShortcuts();
    const found = all.findLast((shortcut) => shortcut.keys === keys);
    prefix = '';
    if (found) {
      event.preventDefault();
      found.run();
    } else if (all.some((shortcut) => shortcut.keys.startsWith(`${event.key} `))) {
      prefix = event.key;
      prefixAt = Date.now();
    }
  });
}
