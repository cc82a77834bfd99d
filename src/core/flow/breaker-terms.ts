/** When the breaker of a destination opens, and when it probes. */
export interface BreakerTerms {
  /** Failures in a row. */
  failures: number;
  /** Shortest time from the first of these failures to the last, ms. */
  afterMs: number;
  /** Time from the opening to the first probe, ms. */
  probeMs: number;
}
