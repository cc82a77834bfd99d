import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isolated } from '../text/foreign-text.ts';
import { Foreign } from './foreign.tsx';

interface DialogProps {
  title: string;
  /** A class, for a dialog that doesn't look like a form. */
  class?: string;
  onClose(): void;
  children: ComponentChildren;
}

/** Selectors of the element that gets the focus, in order of preference. */
const FIRST_FIELDS = [
  'input:not([type=radio], [type=checkbox]), textarea',
  'input:checked, select',
  '.actions button',
];

/** A native dialog. It keeps the focus inside and closes on Escape. */
export function Dialog({ title, class: name, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    for (const field of FIRST_FIELDS) {
      const found = element.current?.querySelector<HTMLElement>(field);
      if (!found) continue;
      found.focus();
      break;
    }
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={name}
      aria-label={isolated(title)}
      onClose={onClose}
      // A click on the backdrop targets the dialog itself. A click on the content doesn't.
      onClick={(event) => event.target === element.current && onClose()}
      onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}
    >
      <div class="dialog">
        <div class="dialog-head">
          <h2>
            <Foreign text={title} />
          </h2>
          <button type="button" class="quiet" onClick={onClose} aria-label="Close">
            ✕
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
