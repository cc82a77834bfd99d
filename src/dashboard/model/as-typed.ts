/**
 * T as somebody typed it: any text in place of a number, or of one of some texts. The names of
 * all members are those of T.
 */
export type AsTyped<T> = T extends string | number
  ? T | string
  : T extends readonly (infer E)[]
    ? AsTyped<E>[]
    : T extends object
      ? { [M in keyof T]: AsTyped<T[M]> }
      : T;

/** Lets typed values go to the server, which judges them: no type can. */
export const asTyped = <T>(input: NoInfer<AsTyped<T>>): T => input as T;
