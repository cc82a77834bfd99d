import type { Api } from './api.ts';

/** The name of a call: `GET /api/endpoints/{id}`. */
export type CallOf = keyof Api;

/** What a call answers; bytes where it isn't JSON, nothing with status 204. */
export type CallAnswer<K extends CallOf> = Api[K]['response'];

export type CallParams<K extends CallOf> = Api[K]['params'];
export type CallQuery<K extends CallOf> = Api[K]['query'];
export type CallBody<K extends CallOf> = Api[K]['body'];

/** The parts of a call's input that go into its URL. */
export type CallTarget<K extends CallOf> = OptionalMember<'params', CallParams<K>> &
  OptionalMember<'query', CallQuery<K>>;

/** What a call takes: `params`, `query` and `body`. Members that may be empty are optional. */
export type CallInput<K extends CallOf> = CallTarget<K> & OptionalMember<'body', CallBody<K>>;

type OptionalMember<N extends string, T> = [T] extends [undefined]
  ? { [P in N]?: never }
  : keyof T extends never
    ? { [P in N]?: never }
    : Record<never, never> extends T
      ? { [P in N]?: T }
      : { [P in N]: T };

/** The arguments of a client's call: the input with the client's own options. */
export type CallArguments<K extends CallOf, Options> =
  Record<never, never> extends CallInput<K> & Options
    ? [input?: CallInput<K> & Options]
    : [input: CallInput<K> & Options];
