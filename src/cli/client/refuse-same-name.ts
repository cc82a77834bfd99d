import { failure } from '../command-error.ts';
import { commandPart } from '../command-part.ts';
import { printable } from '../terminal/output.ts';

export const addSameNameFlag = commandPart((command) =>
  command.option('--same-name', 'take the name even if another one has it'),
);

/**
 * Throws if another one has the name: the next command that uses it couldn't tell which is meant.
 *
 * @param what `endpoint` or `destination`
 * @param others without the one that gets the name
 */
export function refuseSameName(
  what: string,
  name: string | null | undefined,
  others: readonly { id: string; name: string | null }[],
): void {
  if (name === null || name === undefined) return;
  const ids = others.filter((one) => one.name === name).map(({ id }) => printable(id));
  if (ids.length === 0) return;
  const have = ids.length === 1 ? `another ${what} has` : `other ${what}s have`;
  throw failure(
    `${have} the name "${printable(name)}": ${ids.join(', ')}`,
    'use that one, choose another name, or add --same-name',
  );
}
