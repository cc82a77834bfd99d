import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { tell } from '../model/page.ts';

/** How long the button shows “Copied”, ms. */
const SHOWN_MS = 2000;

/** Copies a text. Without https, browsers offer only `execCommand` for this. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'off-screen';
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error('this browser does not let a page copy');
}

interface CopyButtonProps {
  text: string | (() => string);
  label?: string;
  class?: string;
  children?: ComponentChildren;
}

export function CopyButton({ text, label = 'Copy', class: name = '', children }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const word = useRef<HTMLSpanElement>(null);
  const done = () => {
    // Fixes the button's width while it shows “Copied”.
    const { current } = word;
    if (current) current.style.minWidth = `${current.getBoundingClientRect().width}px`;
    setCopied(true);
  };
  const copy = () =>
    copyText(typeof text === 'string' ? text : text()).then(done, (error: Error) =>
      tell(error.message),
    );
  return (
    <button
      type="button"
      class={`copy ${name}`}
      onClick={copy}
      title={children ? label : undefined}
    >
      {children}
      <span class="copy-word" aria-live="polite" ref={word}>
        {isCopied ? 'Copied' : children ? 'Copy' : label}
      </span>
    </button>
  );
}
