import { HookrelayError } from '../core/errors.ts';
import { nearest } from '../core/text/nearest.ts';
import { SAMPLES } from './samples.ts';
import type { Sample } from './sampling/sample.ts';

/**
 * Returns the sample with that name. Also accepts Shopify's spelling, `shopify.orders/create`.
 * Throws `config_invalid` with suggestions.
 */
export function findSample(name: string): Sample {
  const wanted = name.trim().toLowerCase().replaceAll('/', '.');
  const found = SAMPLES.find((sample) => sample.name === wanted);
  if (found) return found;
  const meant = suggestions(wanted);
  throw new HookrelayError('config_invalid', `there is no sample "${name}"`, {
    hint:
      meant.length > 0
        ? `did you mean ${meant.join(' or ')}?`
        : 'hookrelay trigger --list shows all',
  });
}

/**
 * Returns all samples of that provider, or all samples with that event. If there are none, returns
 * the most similar name.
 */
function suggestions(wanted: string): string[] {
  const names = SAMPLES.map((sample) => sample.name);
  const within = names.filter(
    (name) => name.startsWith(`${wanted}.`) || name.endsWith(`.${wanted}`),
  );
  if (within.length > 0) return within;
  const alike = nearest(wanted, names);
  return alike === null ? [] : [alike];
}
