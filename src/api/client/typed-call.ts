import type { Api } from './api.ts';

/** The name of a call, such as `GET /api/endpoints/{id}`. */
export type CallOf = keyof Api;

/** The answer to a call: bytes if it isn't JSON, undefined with status 204. */
export type CallAnswer<K extends CallOf> = Api[K]['response'];

export type CallParams<K extends CallOf> = Api[K]['params'];
export type CallQuery<K extends CallOf> = Api[K]['query'];
export type CallBody<K extends CallOf> = Api[K]['body'];

export type CallTarget<K extends CallOf> = OptionalMember<'params', CallParams<K>> &
  OptionalMember<'query', CallQuery<K>>;

/** Members that may be empty are optional. */
export type CallInput<K extends CallOf> = CallTarget<K> & OptionalMember<'body', CallBody<K>>;

type OptionalMember<N extends string, T> = [T] extends [undefined]
  ? { [P in N]?: never }
  : keyof T extends never
    ? { [P in N]?: never }
    : Record<never, never> extends T
      ? { [P in N]?: T }
      : { [P in N]: T };

export type CallArguments<K extends CallOf, Options> =
  Record<never, never> extends CallInput<K> & Options
    ? [input?: CallInput<K> & Options]
    : [input: CallInput<K> & Options];
