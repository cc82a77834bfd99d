import { HookrelayError } from '../../core/errors.ts';
import type { HeaderPair } from '../../core/model.ts';
import { nearest } from '../../core/text/nearest.ts';
import { findSample } from '../../providers/find-sample.ts';
import type { Provider } from '../../providers/provider.ts';
import { PROVIDERS } from '../../providers/providers.ts';
import { SAMPLES } from '../../providers/samples.ts';
import type { Sample } from '../../providers/sampling/sample.ts';
import { headerIn } from '../arguments.ts';
import { usageError, withHint } from '../command-error.ts';
import { readInputFile, readStdin } from '../terminal/read-input.ts';
import { cannotSignAs, canSignAs } from './sign-as.ts';
import type { TriggerFlags } from './trigger-flags.ts';

export type WhatToSend =
  | ({ sample: Sample } & Own)
  | ({ provider: Provider; type: string | null } & Own)
  | { from_event: string };

/** The headers and the body that a person gave. */
export interface Own {
  headers: HeaderPair[];
  /** Null for the sample's body, or for a provider's minimal body. */
  body: Buffer | null;
}

export const LIST = 'hookrelay trigger --list';

/** Throws a usage error for flags that exclude each other, and for an unknown name. */
export async function whatToSend(
  name: string | undefined,
  flags: TriggerFlags,
): Promise<WhatToSend> {
  const { fromEvent, override, add, header, body, bodyFile } = flags;
  const hasBody = body !== undefined || bodyFile !== undefined;
  if (fromEvent !== undefined) {
    if (name === undefined && !override && !add && !header && !hasBody) {
      return { from_event: fromEvent };
    }
    throw usageError(
      '--from-event excludes a sample, --body, --body-file, --header, --override and --add',
      `a captured event is sent unchanged; --secret signs it again. hookrelay events edit ${fromEvent} changes a copy`,
    );
  }
  if (name === undefined) {
    throw hasBody
      ? usageError(
          'no provider is named that signs the body',
          `hookrelay trigger PROVIDER --body TEXT; ${LIST} shows all providers`,
        )
      : usageError('no sample and no provider is named', `${LIST} shows all samples`);
  }
  if (hasBody && (override || add)) {
    throw usageError('--override and --add change a sample; your own body is sent unchanged');
  }
  const chosen = toSend(name, hasBody);
  const headers = (header ?? []).map((text) => headerIn(text, '--header'));
  return { ...chosen, headers, body: await bodyOf(flags) };
}

/**
 * Takes names such as `github.push`, `zoom` or `zoom.meeting.started`. Keeps the case of a type.
 */
function toSend(name: string, hasBody: boolean) {
  const wanted = name.trim();
  const known = wanted.toLowerCase().replaceAll('/', '.');
  const sample = SAMPLES.find((one) => one.name === known);
  if (sample) return { sample };
  const provider = PROVIDERS.find((one) => known === one.name || known.startsWith(`${one.name}.`));
  if (!provider) return { sample: sampleOr(name, ({ hint }) => hintFor(known, hint)) };
  if (!canSignAs(provider.name)) {
    const why = provider.proof ? LIST : `${LIST}, or curl sends a request without a signature`;
    throw cannotSignAs(provider.name, why);
  }
  const hasSamples = SAMPLES.some((one) => one.name.startsWith(`${provider.name}.`));
  if (!hasBody && hasSamples) {
    const own = ` To send your own body: hookrelay trigger ${provider.name} --body TEXT`;
    const more = known === provider.name ? own : '';
    return { sample: sampleOr(name, ({ hint }) => `${hint}${more}`) };
  }
  return { provider, type: wanted.slice(provider.name.length + 1) || null };
}

/** Returns the hint if it suggests a sample. Otherwise suggests a provider with a similar name. */
function hintFor(name: string, hint = LIST): string {
  if (hint.startsWith('did you mean')) return hint;
  const [first = ''] = name.split('.');
  const signing = PROVIDERS.map((one) => one.name).filter(canSignAs);
  const alike = nearest(first, signing);
  return alike === null ? hint : `did you mean ${alike}?`;
}

/**
 * Accepts other spellings. Throws `config_invalid`.
 *
 * @param hintOf returns the hint for that error
 */
function sampleOr(name: string, hintOf: (error: HookrelayError) => string): Sample {
  try {
    return findSample(name);
  } catch (error) {
    if (!(error instanceof HookrelayError)) throw error;
    throw withHint(error, hintOf(error));
  }
}

async function bodyOf({ body, bodyFile }: TriggerFlags): Promise<Buffer | null> {
  if (body !== undefined) return Buffer.from(body);
  if (bodyFile === undefined) return null;
  return bodyFile === '-' ? readStdin() : readInputFile(bodyFile);
}
