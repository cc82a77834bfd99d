import { CopyButton } from './copy-button.tsx';
import { readable } from './readable.ts';

/** Text to copy. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <div class="code">
      <CopyButton text={text} label="Copy" class="code-copy" />
      <pre {...readable(label)}>{text}</pre>
    </div>
  );
}
