import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

export interface MenuItem {
  text: string;
  /** The shortcut that does the same. */
  keys?: string;
  isDestructive?: boolean;
  disabled?: boolean;
  run(): void;
}

interface MenuProps {
  label: string;
  class?: string;
  items: readonly MenuItem[];
  children: ComponentChildren;
}

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** A menu button with actions, as the ARIA practices describe it. */
export function Menu({ label, class: name = '', items, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const choices = () => [
    ...(box.current?.querySelectorAll<HTMLElement>('[role=menuitem]:not(:disabled)') ?? []),
  ];
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    choices()[0]?.focus();
    const leave = ({ target }: Event) => {
      if (!box.current?.contains(target as Node)) setOpen(false);
    };
    addEventListener('pointerdown', leave);
    addEventListener('focusin', leave);
    return () => {
      removeEventListener('pointerdown', leave);
      removeEventListener('focusin', leave);
    };
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.key === 'Tab') return;
    // While the menu is open, key presses don't trigger the page's shortcuts.
    event.stopPropagation();
    const step = STEPS[event.key];
    if (!step && event.key !== 'Escape') return;
    event.preventDefault();
    if (!step) return close();
    const all = choices();
    all[step(all.indexOf(document.activeElement as HTMLElement), all.length)]?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its buttons take the keys
    <div class={`menu ${name}`} ref={box} onKeyDown={onKeyDown}>
      <button
        type="button"
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && (
        <div class="menu-items" role="menu" aria-label={label}>
          {items.map(({ text, keys, isDestructive = false, disabled = false, run }) => (
            <button
              key={text}
              type="button"
              role="menuitem"
              tabIndex={-1}
              class={isDestructive ? 'destructive' : ''}
              disabled={disabled}
              aria-keyshortcuts={keys}
              onClick={() => {
                close();
                run();
              }}
            >
              {text}
              {keys !== undefined && (
                <span class="menu-keys" aria-hidden="true">
                  {keys}
                </span>
              )}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
