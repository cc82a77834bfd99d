import { providerName } from '../../providers/names.ts';
import { providerOf } from '../../providers/providers.ts';
import { destinationOf } from './case.ts';
import type { Failed } from './rule.ts';
import { destinationStep } from './steps.ts';

/** Returns true if hookrelay makes the provider's signature for each attempt. */
export function signsAsProvider(failed: Failed): boolean {
  return destinationOf(failed, failed.destinationId)?.settings.sign_as === 'provider';
}

/** Returns the steps that have hookrelay sign as the provider signs, with the present time. */
export function resignSteps(failed: Failed): string[] {
  const { signature, id } = failed.event;
  if (!signature?.canResign || signsAsProvider(failed)) return [];
  const { provider, header } = signature;
  // hookrelay's own signature would be in the same headers.
  const isTaken = failed.isSigned && /^webhook-/i.test(header);
  const flags = `--sign-as provider${isTaken ? ' --no-secret' : ''}`;
  return [
    destinationStep(
      failed,
      `Let hookrelay sign each attempt as ${providerName(provider)} signs, with the source's secret and the present time; retries and replays then verify as new events do`,
      'edit',
      flags,
    ),
    `Or send this one to a service on your machine, with a new signature: hookrelay replay ${id} --to http://localhost:3000 --resign`,
  ];
}

/**
 * Returns the step that enables `resignSteps`, for an event that nothing verified. Later events are
 * then signed; a verdict never changes.
 */
export function sourceStep({ event: { signature }, endpoint }: Failed, provider: string): string {
  const proof = providerOf(provider)?.proof;
  if (signature?.isVerified || !proof) return '';
  return `Have this endpoint verify what ${providerName(provider)} sends, so that later events can be signed as it signs them (--sign-as provider); the file holds ${proof.secret}: hookrelay endpoints edit ${endpoint.id} --source ${provider} --secret-stdin <secret.txt`;
}

/** Returns what the service needs to check the provider's signature. */
export function providerSecretStep({ event: { signature } }: Failed): string {
  if (!signature) return '';
  const { provider, header } = signature;
  const { rejection } = providerOf(provider)?.signature ?? {};
  const secret = rejection?.secret ?? providerOf(provider)?.proof?.secret ?? "the sender's secret";
  return `This event has ${providerName(provider)}'s own signature (${header}). If the service checks it, give the service ${secret}, and check the raw body, before any parsing.`;
}
