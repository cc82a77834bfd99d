import type { Destination } from '../../core/model.ts';
import type { Source } from '../../core/proof/source.ts';
import type { DestinationSettings } from '../../core/settings/destination-settings.ts';
import { weaknessOf } from '../../core/text/weak-secret.ts';
import { providerOf } from '../../providers/providers.ts';
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

/** Warns of what signing as the source's provider can't renew. */
export function signsWarnings(
  signAs: DestinationSettings['sign_as'] | undefined,
  source: Pick<Source, 'provider'> | null,
): Warning[] {
  const note = signAs ? providerOf(source?.provider ?? null)?.signature?.note : undefined;
  return note === undefined ? [] : [{ path: 'sign_as', code: 'signs_note', message: note }];
}
