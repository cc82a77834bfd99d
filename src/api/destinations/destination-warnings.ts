import type { Destination } from '../../core/model.ts';
import { weaknessOf } from '../../core/text/weak-secret.ts';
import type { Warning } from './destination-answer.ts';

export function secretWarnings(secret: string | null | undefined): Warning[] {
  const weakness = secret ? weaknessOf(secret) : null;
  return weakness === null ? [] : [{ path: 'secret', code: 'weak_secret', message: weakness }];
}

/** @param all the endpoint's destinations */
export function urlWarnings(
  { id, url }: Pick<Destination, 'id' | 'url'>,
  all: readonly Pick<Destination, 'id' | 'url'>[],
): Warning[] {
  const other = all.find((one) => one.id !== id && one.url === url);
  if (!other) return [];
  const message = `is also the URL of ${other.id}, which gets each event twice`;
  return [{ path: 'url', code: 'same_url', message }];
}
