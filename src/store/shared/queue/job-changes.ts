import type { DeliveryState } from '../../../core/model.ts';

/** The changes that one transaction makes in `replay_counts`. */
export class JobChanges {
  readonly byJob = new Map<number, Map<DeliveryState, number>>();

  /**
   * Adds deliveries that change their state. `before` is null for new deliveries.
   *
   * @param jobKey null for deliveries without a job, which aren't counted
   */
  move(jobKey: number | null, before: DeliveryState | null, after: DeliveryState, count = 1): void {
    if (jobKey === null || before === after || count === 0) return;
    let counts = this.byJob.get(jobKey);
    if (!counts) {
      counts = new Map();
      this.byJob.set(jobKey, counts);
    }
    if (before !== null) counts.set(before, (counts.get(before) ?? 0) - count);
    counts.set(after, (counts.get(after) ?? 0) + count);
  }
}
