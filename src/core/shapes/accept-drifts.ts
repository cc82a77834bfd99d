import { type Drift, driftOf, isAlarm, learn } from './drift-of.ts';
import { readPayload } from './read-payload.ts';
import type { PayloadShape } from './shape.ts';

/** Rounds of `driftOf` on one payload. Each lists 20 drifts, and those within them come next. */
const MAX_ROUNDS = 300;

/**
 * Accepts drifts, and whatever drifts in the bodies of these events: after it, none of them
 * drifts. It learns the kinds and the absence of members; later events bring the rest.
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
