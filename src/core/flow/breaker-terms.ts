/** When the breaker of a destination opens, and when it probes. */
export interface BreakerTerms {
  /** Failures in a row. */
  failures: number;
  /** Time between the first of them and the last, ms. */
  afterMs: number;
  /** Time from the opening to the first probe, ms. */
  probeMs: number;
}
