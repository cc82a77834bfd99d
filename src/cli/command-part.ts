import type { Command, OptionValues } from '@commander-js/extra-typings';

/** Adds arguments and options to a command. The command keeps its earlier types. */
export type CommandPart<A extends unknown[], F extends OptionValues> = <
  B extends unknown[],
  G extends OptionValues,
>(
  command: Command<B, G>,
) => Command<[...B, ...A], G & F>;

/** The types of the flags that a command part adds. */
export type FlagsOf<P> = P extends CommandPart<infer _, infer F> ? F : never;

/** Flags of settings, such as `orderBy` for `order_by`. Their values have unknown types. */
export type FlagsNamed<N extends string> = { [K in N as CamelCase<K>]?: unknown };
type CamelCase<N extends string> = N extends `${infer A}_${infer B}`
  ? `${A}${Capitalize<CamelCase<B>>}`
  : N;

/**
 * Makes a part of a command: arguments and options that several commands share, or that belong
 * beside the code that reads them. `add` declares the part on an empty command, because commander's
 * types depend on everything that a command already has.
 */
export function commandPart<A extends unknown[], F extends OptionValues>(
  add: (command: Command) => Command<A, F>,
): CommandPart<A, F> {
  // Safe, because `add` never reads what the command already has.
  return add as never;
}

/**
 * The parameters that commander passes to an action: arguments, flags, the command. TypeScript
 * infers the `P` of a wrapper from the command only. Otherwise the wrapped function could use a
 * flag that the command doesn't have.
 */
export type Declared<P extends unknown[]> = P extends infer Q extends unknown[] ? Q : never;

export function declared<P extends unknown[]>(params: P): Declared<P> {
  // Both types are the same tuple, but TypeScript can't know this while `P` is generic.
  return params as never;
}
