/** T as typed into a form: a number or an enum may be any text. The names of the members stay. */
export type AsTyped<T> = T extends string | number
  ? T | string
  : T extends readonly (infer E)[]
    ? AsTyped<E>[]
    : T extends object
      ? { [M in keyof T]: AsTyped<T[M]> }
      : T;

/** Sends typed values as they are. The server validates them. */
export const asTyped = <T>(input: NoInfer<AsTyped<T>>): T => input as T;
