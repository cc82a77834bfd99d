import { type Drift, driftOf, isAlarm, learn } from './drift-of.ts';
import { readPayload } from './read-payload.ts';
import type { PayloadShape } from './shape.ts';

/**
 * Most rounds of `driftOf` on one payload. Each lists 20 drifts; the next finds those below them.
 */
const MAX_ROUNDS = 300;

/**
 * Accepts drifts, and all drifts in these bodies: afterwards none of the bodies drifts. Learns only
 * kinds and absences of members. Later events bring the rest.
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
