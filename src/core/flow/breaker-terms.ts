/** When the breaker of a destination opens, and when it probes. */
export interface BreakerTerms {
  /** How many failures in a row open the breaker. */
  failures: number;
  /** How long these failures must last, from the first to the last, ms. */
  afterMs: number;
  /** How long after its opening the breaker sends the first probe, ms. */
  probeMs: number;
}
