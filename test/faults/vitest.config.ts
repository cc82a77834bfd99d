import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** How much of each a run tries: much by default, a little with `--mode short`. */
export interface FaultScale {
  /** Servers killed under load, twice each. */
  crashSeeds: number;
  /** Servers killed while they make their data directory. */
  creationKills: number;
  /** Power cuts whose unsynced writes are taken back. */
  powerCuts: number;
  /** Requests that fast-check makes up. */
  fuzzRequests: number;
  /** Deliveries due when a server starts. */
  pendingDeliveries: number;
  hangingDestinations: number;
  /** What one account has while another captures at its pace. */
  neighbourEvents: number;
  neighbourDestinations: number;
  floodingDestinations: number;
  /** Uploads of 25 MiB at once. */
  largeBodies: number;
  /** How long another program reads the database, ms, and the pause between captures meanwhile. */
  readerHeldMs: number;
  readerPauseMs: number;
  loginsTimed: number;
  soakMs: number;
}

const LONG: FaultScale = {
  crashSeeds: 50,
  creationKills: 40,
  powerCuts: 10,
  fuzzRequests: 10_000,
  pendingDeliveries: 1_000_000,
  hangingDestinations: 1000,
  neighbourEvents: 40_000,
  neighbourDestinations: 2000,
  floodingDestinations: 100,
  largeBodies: 64,
  readerHeldMs: 60_000,
  readerPauseMs: 100,
  loginsTimed: 60,
  soakMs: 600_000,
};

const SHORT: FaultScale = {
  crashSeeds: 2,
  creationKills: 6,
  powerCuts: 1,
  fuzzRequests: 1000,
  pendingDeliveries: 100_000,
  hangingDestinations: 300,
  neighbourEvents: 10_000,
  neighbourDestinations: 500,
  floodingDestinations: 8,
  largeBodies: 48,
  readerHeldMs: 5000,
  readerPauseMs: 0,
  loginsTimed: 20,
  soakMs: 20_000,
};

declare module 'vitest' {
  interface ProvidedContext {
    scale: FaultScale;
  }
}

export default defineConfig(({ mode }) => ({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/faults/*.faults.ts'],
    pool: 'forks',
    // One at a time: they measure, and fill the machine.
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
    provide: { scale: mode === 'short' ? SHORT : LONG },
  },
}));
