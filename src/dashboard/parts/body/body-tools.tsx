import type { ComponentChildren } from 'preact';
import { FindField } from './find-field.tsx';
import type { Find } from './use-find.ts';

/**
 * The search in a body, and the other tools of the body's view. These stay at the top while the
 * body scrolls.
 */
export function BodyTools({ find, children }: { find: Find; children?: ComponentChildren }) {
  return (
    <div class="body-tools">
      <FindField find={find} />
      <span class="fill" />
      {children}
    </div>
  );
}
