import { nearest } from '../core/text/nearest.ts';
import { SETTING_NAMES, variableOf } from './settings.ts';

/** Variables that aren't settings of `serve`. */
const OTHER_VARIABLES = [
  'HOOKRELAY_SECRET_KEY',
  'HOOKRELAY_URL',
  'HOOKRELAY_TOKEN',
  'HOOKRELAY_PROFILE',
  'HOOKRELAY_LISTEN_SECRET',
  'HOOKRELAY_BOUNDED',
];
/** Kubernetes and Docker set these for a service with the name `hookrelay`. */
const OF_SERVICE_LINKS = /^HOOKRELAY_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_(?:TCP|UDP))/;

export interface UnknownVariable {
  name: string;
  /** The known variable with the most similar name; null if none is similar. */
  nearest: string | null;
}

/** Returns the variables of `env` that look like hookrelay's and that nothing reads. */
export function unknownVariables(env: NodeJS.ProcessEnv = process.env): UnknownVariable[] {
  const known = [...SETTING_NAMES.map(variableOf), ...OTHER_VARIABLES];
  return Object.keys(env)
    .filter((name) => /^HOOKRELAY_/i.test(name))
    .filter((name) => !known.includes(name) && !OF_SERVICE_LINKS.test(name))
    .sort()
    .map((name) => ({ name, nearest: nearestOf(name, known) }));
}

/** Compares the names without their prefix, because the prefix makes all names similar. */
function nearestOf(name: string, known: readonly string[]): string | null {
  const rest = (one: string) => one.slice('HOOKRELAY_'.length);
  const found = nearest(rest(name), known.map(rest));
  return found === null ? null : `HOOKRELAY_${found}`;
}
