import * as v from 'valibot';
import { idSchema } from './id-schema.ts';

const MOST_DESTINATIONS = 100;

/** @param description what happens at these destinations */
export function destinationIdsSchema(description: string) {
  return v.pipe(
    v.array(idSchema('destination'), 'must be a list of ids of destinations'),
    v.minLength(1, 'must name a destination'),
    v.maxLength(MOST_DESTINATIONS, `must name at most ${MOST_DESTINATIONS} destinations`),
    v.check((ids) => new Set(ids).size === ids.length, 'must name each destination once'),
    v.metadata({ description, uniqueItems: true }),
  );
}
