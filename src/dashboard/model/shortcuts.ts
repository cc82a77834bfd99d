import { useLayoutEffect } from 'preact/hooks';

export interface Shortcut {
  /** As it is shown: `j`, `?`, `g e`. */
  keys: string;
  title: string;
  group: string;
  run(): void;
}

/** Of `g e`, the `g` is forgotten after, ms. */
const SEQUENCE_MS = 1500;

const active = new Set<Shortcut[]>();
let prefix = '';
let prefixAt = 0;

/** Those that work now, for the list that `?` shows. */
export function activeShortcuts(): Shortcut[] {
  return [...active].flat();
}

/** Keys that work while the component is there. The latest component wins. */
export function useShortcuts(shortcuts: Shortcut[]): void {
  // Before it is painted: what can be seen takes its keys.
  useLayoutEffect(() => {
    active.add(shortcuts);
    return () => void active.delete(shortcuts);
  });
}

/** Where people write, keys are letters. */
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
