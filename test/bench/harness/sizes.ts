/** How much is measured, and for how long. */
export interface Sizes {
  captures: {
    /** Connections of the row that has the target. */
    judgedConnections: number;
    judgedPairs: number;
    otherConnections: readonly number[];
    otherPairs: number;
    seconds: number;
    warmUpSeconds: number;
  };
  delivering: { connections: number; pairs: number; seconds: number; warmUpSeconds: number };
  draining: { deliveries: number; warmUp: number; pairs: number };
  latency: { perSecond: number; seconds: number; warmUpSeconds: number; rounds: number };
  list: { smallEvents: number; largeEvents: number; requests: number; rounds: number };
  search: { events: number; rounds: number };
  memory: { events: number; connections: number; seconds: number };
  nodes: {
    /** Nodes at once, of the largest row. */
    most: number;
    connections: number;
    seconds: number;
    rounds: number;
    deliveries: number;
    /** Pending deliveries of the long queue, and of the short one that it is compared with. */
    longQueue: number;
    shortQueue: number;
    claims: number;
  };
}

/** What the targets are about. About ten minutes on two cores. */
export const FULL: Sizes = {
  captures: {
    judgedConnections: 64,
    judgedPairs: 5,
    otherConnections: [1, 16, 256],
    otherPairs: 3,
    seconds: 4,
    warmUpSeconds: 2,
  },
  delivering: { connections: 64, pairs: 5, seconds: 4, warmUpSeconds: 2 },
  draining: { deliveries: 20_000, warmUp: 2000, pairs: 3 },
  latency: { perSecond: 200, seconds: 10, warmUpSeconds: 2, rounds: 3 },
  list: { smallEvents: 10_000, largeEvents: 1_000_000, requests: 200, rounds: 5 },
  search: { events: 1_000_000, rounds: 3 },
  memory: { events: 1_000_000, connections: 64, seconds: 20 },
  nodes: {
    most: 3,
    connections: 64,
    seconds: 4,
    rounds: 3,
    deliveries: 9000,
    longQueue: 1_000_000,
    shortQueue: 30_000,
    claims: 30,
  },
};

/** Shows that everything still runs, in less than a minute. Its figures prove nothing. */
export const QUICK: Sizes = {
  captures: {
    judgedConnections: 64,
    judgedPairs: 2,
    otherConnections: [1],
    otherPairs: 1,
    seconds: 1,
    warmUpSeconds: 1,
  },
  delivering: { connections: 64, pairs: 2, seconds: 1, warmUpSeconds: 1 },
  draining: { deliveries: 4000, warmUp: 400, pairs: 1 },
  latency: { perSecond: 200, seconds: 2, warmUpSeconds: 1, rounds: 1 },
  list: { smallEvents: 2000, largeEvents: 20_000, requests: 50, rounds: 2 },
  search: { events: 20_000, rounds: 2 },
  memory: { events: 20_000, connections: 64, seconds: 2 },
  nodes: {
    most: 2,
    connections: 64,
    seconds: 1,
    rounds: 1,
    deliveries: 1000,
    longQueue: 60_000,
    shortQueue: 30_000,
    claims: 5,
  },
};
