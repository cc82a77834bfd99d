import type { Warning } from '../../api/destinations/destination-answer.ts';
import { type Output, printable } from '../terminal/output.ts';

const HINT: Record<Warning['code'], string> = {
  weak_secret: 'hookrelay makes a strong one: --generate-secret, or rotate-secret without --secret',
  same_url: 'remove one of the two, or give them filters that differ',
  signs_note: 'give the destination a secret, and verify webhook-signature',
};

/** Prints the API's warnings on stderr, even with `--json`. */
export function showWarnings(out: Output, warnings: readonly Warning[] = []): void {
  for (const { path, code, message } of warnings) {
    // The messages of the other paths are predicates.
    const subject = path === 'sign_as' ? '' : `the ${path === 'url' ? 'URL' : path} `;
    out.note(`warning: ${subject}${printable(message)}`);
    if (Object.hasOwn(HINT, code)) out.note(`  hint: ${HINT[code]}`);
  }
}
