import type { Command, OptionValues } from '@commander-js/extra-typings';

/** Adds options and arguments to a command. The types of what the command has stay. */
export type CommandPart<A extends unknown[], F extends OptionValues> = <
  B extends unknown[],
  G extends OptionValues,
>(
  command: Command<B, G>,
) => Command<[...B, ...A], G & F>;

/** The flags that a part adds, as an action gets them. */
export type FlagsOf<P> = P extends CommandPart<infer _, infer F> ? F : never;

/**
 * Options and arguments that several commands share, or that stand beside the code that
 * reads them. Declared on a command without any, so that their types are plain:
 * commander's own would depend on each command that gets them.
 */
export function commandPart<A extends unknown[], F extends OptionValues>(
  add: (command: Command) => Command<A, F>,
): CommandPart<A, F> {
  // What a part adds doesn't depend on what a command has.
  return add as never;
}

/**
 * The parameters of an action, as commander passes them: arguments, flags, the command. A
 * wrapper takes them from the command alone. Otherwise TypeScript would take them from the
 * wrapped function, and a flag that it misspells would be one of the command's.
 */
export type Declared<P extends unknown[]> = P extends infer Q extends unknown[] ? Q : never;

export function declared<P extends unknown[]>(params: P): Declared<P> {
  // TypeScript doesn't see that they are the same while P is open.
  return params as never;
}
