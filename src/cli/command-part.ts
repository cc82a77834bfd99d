import type { Command, OptionValues } from '@commander-js/extra-typings';

/** A function that adds arguments and options to a command. The command keeps the types it had. */
export type CommandPart<A extends unknown[], F extends OptionValues> = <
  B extends unknown[],
  G extends OptionValues,
>(
  command: Command<B, G>,
) => Command<[...B, ...A], G & F>;

/** The flags that a command part adds, in the types that an action gets. */
export type FlagsOf<P> = P extends CommandPart<infer _, infer F> ? F : never;

/** Flags of settings, by name: `orderBy` for `order_by`. The types of their values are unknown. */
export type FlagsNamed<N extends string> = { [K in N as CamelCase<K>]?: unknown };
type CamelCase<N extends string> = N extends `${infer A}_${infer B}`
  ? `${A}${Capitalize<CamelCase<B>>}`
  : N;

/**
 * Makes a part of a command: arguments and options that several commands share, or that belong in
 * one file with the code that reads them. commander's types depend on everything that the command
 * has already. `add` therefore declares the part on an empty command, which keeps its types simple.
 */
export function commandPart<A extends unknown[], F extends OptionValues>(
  add: (command: Command) => Command<A, F>,
): CommandPart<A, F> {
  // `add` never looks at what the command has already.
  return add as never;
}

/**
 * The parameters with which commander calls an action: arguments, flags, the command. This type
 * makes TypeScript infer the `P` of a wrapper from the command only. If it also inferred `P` from
 * the wrapped function, that function could use a flag that the command doesn't have.
 */
export type Declared<P extends unknown[]> = P extends infer Q extends unknown[] ? Q : never;

export function declared<P extends unknown[]>(params: P): Declared<P> {
  // Both types are the same tuple, but TypeScript can't know this while P is open.
  return params as never;
}
