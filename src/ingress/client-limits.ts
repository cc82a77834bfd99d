/** How long a client may keep a connection without progress. */
export interface ClientLimits {
  /** The longest time to receive a request's head, ms. */
  headersTimeoutMs: number;
  /** The longest time to receive a whole request, ms. A captured body has no other time limit. */
  requestTimeoutMs: number;
  /** The longest time to receive the body of an API call, ms. */
  apiBodyTimeoutMs: number;
  /** The longest time between two requests on a connection, ms. */
  keepAliveTimeoutMs: number;
}

export const CLIENT_LIMITS: ClientLimits = {
  headersTimeoutMs: 10_000,
  // Enough for 25 MiB over a slow line.
  requestTimeoutMs: 300_000,
  apiBodyTimeoutMs: 30_000,
  // Load balancers usually close an idle connection after 60 s. They must do so before the server.
  keepAliveTimeoutMs: 65_000,
};
