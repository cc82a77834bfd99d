import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics, type Registry } from 'prom-client';

/**
 * The sampling interval of the event loop's delay, ms. The measured quantiles include this
 * interval. Node's default is 10.
 */
const EVENT_LOOP_SAMPLE_MS = 100;

/** Starts the process metrics. Waits for the first sample, because the mean is NaN until then. */
export async function measureProcess(register: Registry): Promise<void> {
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
  await sleep(2 * EVENT_LOOP_SAMPLE_MS);
}
