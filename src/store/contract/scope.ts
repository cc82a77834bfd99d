/** The endpoints that a list or a stream covers: all of an account, or some. */
export type Scope = { userId: string } | { endpointKeys: readonly number[] };
