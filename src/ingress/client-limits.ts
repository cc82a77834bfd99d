/** How long a client may keep a connection without using it. */
export interface ClientLimits {
  /** A request's head, to its last byte, ms. */
  headersTimeoutMs: number;
  /** A request to its last byte, ms. For a captured body there is no other. */
  requestTimeoutMs: number;
  /** The body of an API call, ms. */
  apiBodyTimeoutMs: number;
  /** A connection between two requests, ms. */
  keepAliveTimeoutMs: number;
}

export const CLIENT_LIMITS: ClientLimits = {
  headersTimeoutMs: 10_000,
  // 25 MiB over a slow line, but not forever.
  requestTimeoutMs: 300_000,
  apiBodyTimeoutMs: 30_000,
  // Longer than the usual 60 s of load balancers, so that they close first.
  keepAliveTimeoutMs: 65_000,
};
