import type { Api } from './api.ts';

/** The name of a call: `GET /api/endpoints/{id}`. */
export type CallOf = keyof Api;

/** What a call answers; bytes where it isn't JSON, nothing with status 204. */
export type Answer<K extends CallOf> = Api[K]['response'];

export type Params<K extends CallOf> = Api[K]['params'];
export type Query<K extends CallOf> = Api[K]['query'];
export type Body<K extends CallOf> = Api[K]['body'];

/** The parts of a call's input that its address has. */
export type Target<K extends CallOf> = Member<'params', Params<K>> & Member<'query', Query<K>>;

/** What a call takes: `params`, `query` and `body`. Those that may be empty may be left out. */
export type Input<K extends CallOf> = Target<K> & Member<'body', Body<K>>;

type Member<N extends string, T> = [T] extends [undefined]
  ? { [P in N]?: never }
  : keyof T extends never
    ? { [P in N]?: never }
    : Record<never, never> extends T
      ? { [P in N]?: T }
      : { [P in N]: T };

/** The arguments of a client's call: the input with the client's own options. */
export type CallArguments<K extends CallOf, Options> =
  Record<never, never> extends Input<K> & Options
    ? [input?: Input<K> & Options]
    : [input: Input<K> & Options];
