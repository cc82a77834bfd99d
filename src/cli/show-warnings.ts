import type { Warning } from '../api/destinations/destination-answer.ts';
import type { EndpointWarning } from '../api/endpoints/endpoint-answer.ts';
import type { CopyWarning } from '../api/events/event-answer.ts';
import { type Output, printable } from './terminal/output.ts';

type AnyWarning = Warning | EndpointWarning | CopyWarning;

/** The start of a message that doesn't name its subject. A newer server may send other paths. */
const SUBJECT: Partial<Record<string, string>> = {
  secret: 'the secret ',
  url: 'the URL ',
  name: 'the name ',
} satisfies Partial<Record<AnyWarning['path'], string>>;

const HINT: Record<AnyWarning['code'], string> = {
  weak_secret: 'hookrelay makes a strong one: --generate-secret, or rotate-secret without --secret',
  same_name: 'rename one of them: a command by that name is refused',
  same_url: 'remove one of the two, or give them filters that differ',
  signs_note: 'give the destination a secret, and verify webhook-signature',
  sign_as_left_out: 'name it by --to to send the copy there all the same',
  not_verified: 'only a request that its sender signed arrives there: replay the original',
  signature_mismatch: 'give that header another value, or remove it, by --header',
};

/** Prints the API's warnings on stderr, even with `--json`. */
export function showWarnings(out: Output, warnings: readonly AnyWarning[] = []): void {
  for (const { path, code, message } of warnings) {
    out.note(`warning: ${SUBJECT[path] ?? ''}${printable(message)}`);
    if (Object.hasOwn(HINT, code)) out.note(`  hint: ${HINT[code]}`);
  }
}
