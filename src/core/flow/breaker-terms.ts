/** When the breaker of a destination opens, and when it probes. */
export interface BreakerTerms {
  /** The number of failures in a row that opens the breaker. */
  failures: number;
  /** The shortest time from the first to the last of these failures, ms. */
  afterMs: number;
  /** The time from opening the breaker to its first probe, ms. */
  probeMs: number;
}
