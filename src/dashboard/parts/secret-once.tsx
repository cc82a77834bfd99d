import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy-button.tsx';

/** Shows a new secret, because no later answer contains it. */
export function SecretOnce({ secret, children }: { secret: string; children?: ComponentChildren }) {
  return (
    <p class="once">
      Keep the secret now, it is not shown again: <span class="mono wrap">{secret}</span>{' '}
      <CopyButton text={secret} label="Copy the secret" /> {children}
    </p>
  );
}
