import type { ComparisonSizes } from './bare-comparison.ts';

/** Verified captures at a steady rate, and forgeries beside them. */
export interface FloodSizes {
  perSecond: number;
  forgedPerSecond: number;
  seconds: number;
  pairs: number;
}

/** A sender that waits for its deliveries. */
export interface Loop {
  /** Events that are sent and not yet at all destinations. */
  underWay: number;
  destinations: number;
}

/** Sizes and durations of the measurements. */
export interface Sizes {
  captures: readonly (ComparisonSizes & { connections: number; judged: boolean })[];
  cores: ComparisonSizes & { connections: number };
  delivering: ComparisonSizes & { connections: number };
  closedLoop: ComparisonSizes & { loops: readonly Loop[] };
  filters: ComparisonSizes & { connections: number };
  verifying: ComparisonSizes & { connections: number; flood: FloodSizes };
  bodies: {
    kinds: readonly { label: string; bytes: number; connections: number }[];
    pairs: number;
    seconds: number;
  };
  /** `deliveries` must be a multiple of each of `destinations`. */
  draining: {
    destinations: readonly number[];
    deliveries: number;
    warmUp: number;
    pairs: number;
  };
  replaying: { events: number; pairs: number };
  concurrency: {
    seconds: number;
    warmUpSeconds: number;
    rounds: number;
    /** Waiting for the receiver without a bound, for the one with few workers, and for the slow one. */
    deliveries: number;
    narrowDeliveries: number;
    slowDeliveries: number;
    /** Captures for the fast destination. */
    perSecond: number;
  };
  steady: ComparisonSizes & { perSecond: number };
  latency: { perSecond: number; seconds: number; warmUpSeconds: number; rounds: number };
  disk: { events: number };
  /** `events` in ascending order. Other measurements use the `sharedEvents` of them too. */
  list: { events: readonly number[]; sharedEvents: number; requests: number; rounds: number };
  search: { events: number; rounds: number };
  memory: { events: number; connections: number; seconds: number };
  indexLag: { events: number; perSecond: number; seconds: number };
  searching: ComparisonSizes & { events: number; connections: number };
  retaining: ComparisonSizes & { events: number; connections: number; perSecond: number };
  start: { events: number; deliveries: number; starts: number };
  binary: { starts: number };
  idle: { retries: number; settleSeconds: number; seconds: number };
  waiting: ComparisonSizes & {
    deliveries: number;
    settleSeconds: number;
    idleSeconds: number;
    connections: number;
  };
  live: {
    readers: number;
    perSecond: number;
    connections: number;
    pairs: number;
    seconds: number;
  };
  nodes: {
    /** Nodes at once, in the largest row. */
    most: number;
    connections: number;
    seconds: number;
    rounds: number;
    deliveries: number;
    /** Pending deliveries of the long queue, and of the short one for comparison. */
    longQueue: number;
    shortQueue: number;
    claims: number;
    /** Time of full load under a held snapshot, and without one. */
    snapshotSeconds: number;
  };
}

const MILLION = 1_000_000;
const JUDGED = { pairs: 4, seconds: 4, warmUpSeconds: 2 };
const LOOPS = [
  { underWay: 1024, destinations: 1 },
  { underWay: 64, destinations: 1 },
  { underWay: 1024, destinations: 5 },
];
const TOLD = { pairs: 2, seconds: 4, warmUpSeconds: 2 };

/** The sizes for the targets. Less than twenty minutes on two cores. */
export const FULL: Sizes = {
  captures: [
    { connections: 64, judged: true, ...JUDGED },
    { connections: 256, judged: true, ...JUDGED },
    { connections: 16, judged: false, ...TOLD },
    { connections: 1, judged: false, ...TOLD },
  ],
  cores: { connections: 64, ...TOLD },
  delivering: { connections: 64, ...JUDGED },
  closedLoop: { loops: LOOPS, pairs: 3, seconds: 8, warmUpSeconds: 3 },
  filters: { connections: 64, ...JUDGED },
  verifying: {
    connections: 64,
    ...JUDGED,
    flood: { perSecond: 300, forgedPerSecond: 1500, seconds: 6, pairs: 4 },
  },
  bodies: {
    kinds: [
      { label: '100 KB', bytes: 100_000, connections: 64 },
      { label: '5 MB', bytes: 5_000_000, connections: 8 },
    ],
    pairs: 3,
    seconds: 4,
  },
  draining: { destinations: [1, 100], deliveries: 20_000, warmUp: 2000, pairs: 3 },
  replaying: { events: 20_000, pairs: 3 },
  concurrency: {
    seconds: 10,
    warmUpSeconds: 4,
    rounds: 2,
    deliveries: 18_000,
    narrowDeliveries: 2000,
    slowDeliveries: 10_000,
    perSecond: 300,
  },
  steady: { perSecond: 100, pairs: 3, seconds: 8, warmUpSeconds: 3 },
  latency: { perSecond: 500, seconds: 10, warmUpSeconds: 2, rounds: 3 },
  disk: { events: MILLION },
  list: {
    events: [10_000, 100_000, MILLION, 5 * MILLION],
    sharedEvents: MILLION,
    requests: 100,
    rounds: 5,
  },
  search: { events: MILLION, rounds: 3 },
  memory: { events: MILLION, connections: 64, seconds: 20 },
  indexLag: { events: MILLION, perSecond: 5000, seconds: 45 },
  searching: { events: MILLION, connections: 64, ...JUDGED },
  retaining: { events: 400_000, connections: 64, perSecond: 500, ...JUDGED },
  start: { events: MILLION, deliveries: 100_000, starts: 5 },
  binary: { starts: 9 },
  idle: { retries: 100_000, settleSeconds: 5, seconds: 60 },
  waiting: {
    deliveries: MILLION,
    settleSeconds: 5,
    idleSeconds: 60,
    connections: 64,
    ...JUDGED,
  },
  live: { readers: 100, perSecond: 1000, connections: 64, pairs: 3, seconds: 5 },
  nodes: {
    most: 3,
    connections: 64,
    seconds: 4,
    rounds: 3,
    deliveries: 9000,
    longQueue: 1_000_000,
    shortQueue: 30_000,
    claims: 30,
    snapshotSeconds: 60,
  },
};

const ONCE = { pairs: 1, seconds: 1, warmUpSeconds: 0 };
const FEW_EVENTS = 10_000;

/** Shows in little more than a minute that everything still runs. Its figures prove nothing. */
export const QUICK: Sizes = {
  captures: [64, 1].map((connections) => ({ connections, judged: false, ...ONCE })),
  cores: { connections: 64, ...ONCE },
  delivering: { connections: 64, ...ONCE },
  closedLoop: { loops: LOOPS, ...ONCE },
  filters: { connections: 64, ...ONCE },
  verifying: {
    connections: 64,
    ...ONCE,
    flood: { perSecond: 100, forgedPerSecond: 500, seconds: 1, pairs: 1 },
  },
  bodies: {
    kinds: FULL.bodies.kinds.map((kind) => ({ ...kind, connections: 4 })),
    pairs: 1,
    seconds: 1,
  },
  draining: { destinations: [1, 100], deliveries: 2000, warmUp: 200, pairs: 1 },
  replaying: { events: 2000, pairs: 1 },
  concurrency: {
    seconds: 1,
    warmUpSeconds: 1,
    rounds: 1,
    deliveries: 4000,
    narrowDeliveries: 1000,
    slowDeliveries: 2000,
    perSecond: 100,
  },
  steady: { perSecond: 100, ...ONCE },
  latency: { perSecond: 200, seconds: 1, warmUpSeconds: 0, rounds: 1 },
  disk: { events: FEW_EVENTS },
  list: { events: [1000, FEW_EVENTS], sharedEvents: FEW_EVENTS, requests: 20, rounds: 1 },
  search: { events: FEW_EVENTS, rounds: 1 },
  memory: { events: FEW_EVENTS, connections: 64, seconds: 1 },
  indexLag: { events: FEW_EVENTS, perSecond: 500, seconds: 1 },
  searching: { events: FEW_EVENTS, connections: 64, ...ONCE },
  retaining: { events: 3 * FEW_EVENTS, connections: 64, perSecond: 100, ...ONCE },
  start: { events: FEW_EVENTS, deliveries: 1000, starts: 1 },
  binary: { starts: 2 },
  idle: { retries: 1000, settleSeconds: 1, seconds: 1 },
  waiting: { deliveries: 3000, settleSeconds: 1, idleSeconds: 1, connections: 64, ...ONCE },
  live: { readers: 100, perSecond: 200, connections: 64, pairs: 1, seconds: 1 },
  nodes: {
    most: 2,
    connections: 64,
    seconds: 1,
    rounds: 1,
    deliveries: 1000,
    longQueue: 60_000,
    shortQueue: 30_000,
    claims: 5,
    snapshotSeconds: 3,
  },
};
