import { opt } from '../../core/text/words.ts';
import { decimalAmount } from './money.ts';
import type { PayloadReader } from './payload-reader.ts';

/** Returns an order's line as text: `2 × Plain T-Shirt at 24.95`. */
export function lineOf(line: PayloadReader): string {
  const price = decimalAmount(line.text('price'), null);
  return `${line.text('quantity') ?? '?'} × ${line.first('name', 'title') ?? 'something'}${opt` at ${price}`}`;
}

/** Returns `Ada Example (ada@example.com)`, or only the name or the email. */
export function person(facts: PayloadReader): string | null {
  const name = [facts.text('first_name'), facts.text('last_name')].filter((part) => part !== null);
  const email = facts.text('email');
  if (name.length === 0) return email;
  return `${name.join(' ')}${opt` (${email})`}`;
}
