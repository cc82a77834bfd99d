import { type Drift, driftOf, isAlarm, learn } from './drift-of.ts';
import { readPayload } from './read-payload.ts';
import type { PayloadShape } from './shape.ts';

/**
 * The largest number of `driftOf` runs on one payload. Each run finds at most `MAX_DRIFTS` drifts.
 * The next run finds the deeper drifts.
 */
const MAX_ROUNDS = 300;

/**
 * Accepts the given drifts and all drifts in the given bodies. Afterwards, none of the bodies
 * drifts. The shape learns only the kinds of members and which members may be absent.
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
