/** A `T` whose numbers and enums may be any text, because a user types them. */
export type AsTyped<T> = T extends string | number
  ? T | string
  : T extends readonly (infer E)[]
    ? AsTyped<E>[]
    : T extends object
      ? { [M in keyof T]: AsTyped<T[M]> }
      : T;

/** Passes typed values unchanged, because the server validates them. */
export const asTyped = <T>(input: NoInfer<AsTyped<T>>): T => input as T;
