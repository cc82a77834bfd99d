import { callTarget } from '../../../api/client/call-target.ts';
import type { CallAnswer, CallArguments } from '../../../api/client/typed-call.ts';
import { session } from '../../model/page.ts';
import type { JsonCall } from '../../model/session.ts';
import { type Loaded, useLoaded } from './use-loaded.ts';

/** Returns the answer of a GET. Loads it again after a new address or a call of `reload`. */
export function useCall<K extends JsonCall & `GET ${string}`>(
  name: K,
  ...[input]: CallArguments<K, unknown>
): Loaded<CallAnswer<K>> {
  return useLoaded(callTarget(name, input).path, (signal) => session.read(name, input, signal));
}
