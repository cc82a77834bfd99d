/** How long a client may keep a connection without progress. */
export interface ClientLimits {
  /** Longest time to receive a request's head, ms. */
  headersTimeoutMs: number;
  /** Longest time to receive a whole request, ms. The only limit for a captured body. */
  requestTimeoutMs: number;
  /** Longest time to receive an API call's body, ms. */
  apiBodyTimeoutMs: number;
  /** Longest idle time of a connection between two requests, ms. */
  keepAliveTimeoutMs: number;
}

export const CLIENT_LIMITS: ClientLimits = {
  headersTimeoutMs: 10_000,
  // Enough for 25 MiB over a slow line.
  requestTimeoutMs: 300_000,
  apiBodyTimeoutMs: 30_000,
  // Longer than the usual 60 s of load balancers: they must close first.
  keepAliveTimeoutMs: 65_000,
};
