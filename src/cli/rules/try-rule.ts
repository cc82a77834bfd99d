import { checkRule } from '../check-rule.ts';
import { destinationLabel, findDestination } from '../client/destination-ref.ts';
import { findEndpoint } from '../client/endpoint-ref.ts';
import type { Remote } from '../client/remote-command.ts';
import { tryRule } from '../client/rule-trial.ts';
import { usageError } from '../command-error.ts';
import {
  changedText,
  showChanged,
  showErrors,
  showSamples,
  trialLines,
} from './rule-trial-text.ts';
import { sourceOf } from './rule-versions.ts';

export interface TryFlags {
  destination: string | undefined;
  last: number | undefined;
  event: string[];
}

export async function runTry(
  remote: Remote,
  reference: string,
  rule: string | undefined,
  { destination: named, last, event: ids }: TryFlags,
): Promise<void> {
  const { client, out } = remote;
  if (rule === undefined && named === undefined) {
    throw usageError('there is no rule to try', 'pass a rule, or a destination by --destination');
  }
  if (rule !== undefined) await checkRule(rule, 'the rule');
  const found = named === undefined ? null : await findDestination(client, reference, named);
  const endpoint = found?.endpoint ?? (await findEndpoint(client, reference));
  const filter = rule ?? sourceOf(found?.destination.filter ?? null);
  const label = found && destinationLabel(found.destination);
  if (filter === null) throw usageError(`${label} has no rule to try`, 'pass a rule');
  const { trial, text } = await tryRule(client, endpoint.id, {
    filter,
    ...(found && { destination_id: found.destination.id }),
    ...(ids.length > 0 ? { event_ids: ids } : { ...(last !== undefined && { last }) }),
  });
  if (out.asJsonText(text)) return;
  if (trial.tried === 0) {
    out.note(`${endpoint.name} has no event to try the rule on.`);
    return;
  }
  for (const line of trialLines(trial)) out.line(line);
  const compares = label !== null && rule !== undefined;
  if (compares) out.line(changedText(trial, label));
  if (compares && trial.changed.length > 0) await showChanged(remote, trial);
  else await showSamples(remote, trial);
  showErrors(out, trial);
}
