/**
 * T with the values that a form can send: a number or an enum may be any text. The names of the
 * members stay.
 */
export type AsTyped<T> = T extends string | number
  ? T | string
  : T extends readonly (infer E)[]
    ? AsTyped<E>[]
    : T extends object
      ? { [M in keyof T]: AsTyped<T[M]> }
      : T;

/** Passes typed values as they are, because the server validates them. */
export const asTyped = <T>(input: NoInfer<AsTyped<T>>): T => input as T;
