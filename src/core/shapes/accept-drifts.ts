import { type Drift, driftOf, isAlarm, learn } from './drift-of.ts';
import { readPayload } from './read-payload.ts';
import type { PayloadShape } from './shape.ts';

/**
 * How often `driftOf` runs on one payload. Each run lists at most 20 drifts. The next run finds
 * those below them.
 */
const MAX_ROUNDS = 300;

/**
 * Accepts the given drifts, and all drifts in the given bodies. Afterwards none of the bodies
 * drifts. The shape learns only which kinds members have and which members may be absent. It learns
 * the rest from later events.
 */
export function acceptDrifts(
  shape: PayloadShape,
  drifts: readonly Drift[],
  bodies: readonly Uint8Array[],
): void {
  for (const drift of drifts) learn(shape, drift);
  for (const body of bodies) {
    const payload = readPayload(body);
    if (!payload) continue;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const learned = driftOf(shape, payload)
        .filter(isAlarm)
        .map((drift) => learn(shape, drift));
      if (!learned.includes(true)) break;
    }
  }
}
