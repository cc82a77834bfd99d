import type { Command, OptionValues } from '@commander-js/extra-typings';

/** Adds arguments and options to a command, which keeps the types of its own. */
export type CommandPart<A extends unknown[], F extends OptionValues> = <
  B extends unknown[],
  G extends OptionValues,
>(
  command: Command<B, G>,
) => Command<[...B, ...A], G & F>;

/** The flags that a part adds, as an action gets them. */
export type FlagsOf<P> = P extends CommandPart<infer _, infer F> ? F : never;

/** Flags by the names of settings: `orderBy` for `order_by`. The types of values are unknown. */
export type FlagsNamed<N extends string> = { [K in N as CamelCase<K>]?: unknown };
type CamelCase<N extends string> = N extends `${infer A}_${infer B}`
  ? `${A}${Capitalize<CamelCase<B>>}`
  : N;

/**
 * Arguments and options that several commands share, or that stand beside the code that reads
 * them. commander's types depend on what a command has already; here `add` declares the part on
 * an empty command, so its types are plain.
 */
export function commandPart<A extends unknown[], F extends OptionValues>(
  add: (command: Command) => Command<A, F>,
): CommandPart<A, F> {
  // What a part adds doesn't depend on what a command has.
  return add as never;
}

/**
 * What commander passes to an action: arguments, flags, the command. TypeScript infers a
 * wrapper's `P` from the command alone. If it inferred from the wrapped function too, a flag
 * that the command doesn't have would compile.
 */
export type Declared<P extends unknown[]> = P extends infer Q extends unknown[] ? Q : never;

export function declared<P extends unknown[]>(params: P): Declared<P> {
  // The same tuple, which TypeScript doesn't see while P is open.
  return params as never;
}
