import type { RuleTrialAnswer } from '../../api/rules/rule-answer.ts';
import { HookrelayError } from '../../core/errors.ts';
import { counted } from '../../core/text/words.ts';
import { failure } from '../command-error.ts';
import { type Output, printable } from '../terminal/output.ts';
import { canPrompt, confirm } from '../terminal/prompt.ts';
import type { Remote } from './remote-command.ts';
import { tryRule } from './rule-trial.ts';

const TRIED_EVENTS = 1000;

/**
 * Tries a filter on the newest events before it is saved. Throws if it meets values that it can't
 * take, unless a person agrees. A trial that fails doesn't prevent the save.
 *
 * @param filter the value of `--filter`; anything but a text sets no filter
 */
export async function checkValues(
  remote: Remote,
  endpointId: string,
  filter: unknown,
  { yes = false }: { yes?: boolean },
): Promise<void> {
  if (typeof filter !== 'string') return;
  const trial = await trialOf(remote, endpointId, filter);
  if (trial) await requireConsent(remote.out, trial, yes);
}

/** Warns of values that a search by this rule can't take. */
export async function warnOfValues(
  remote: Remote,
  endpointId: string,
  where: string | undefined,
): Promise<void> {
  if (where === undefined) return;
  const trial = await trialOf(remote, endpointId, where);
  if (trial) noteValues(remote.out, trial);
}

/** Throws if the rule met values that it can't take, unless `yes`, or a person agrees. */
export async function requireConsent(
  out: Output,
  trial: RuleTrialAnswer,
  yes: boolean,
): Promise<void> {
  if (trial.failed === 0) return;
  noteValues(out, trial);
  if (yes || (canPrompt() && (await confirm('Save the filter anyway?')))) return;
  throw failure(
    'nothing is saved: the filter meets values that it cannot take',
    'change the filter, or add --yes to save it anyway',
  );
}

/** Returns null if the rule takes every value, or can't be tried. */
async function trialOf(
  { client, out }: Remote,
  endpointId: string,
  rule: string,
): Promise<RuleTrialAnswer | null> {
  // Import late, because rules load a regex engine that most commands don't need.
  const [{ mayMismatch }, { readRule }] = await Promise.all([
    import('../../core/rules/may-mismatch.ts'),
    import('../../core/rules/rule.ts'),
  ]);
  if (!mayMismatch(readRule(rule))) return null;
  try {
    return (await tryRule(client, endpointId, { filter: rule, last: TRIED_EVENTS })).trial;
  } catch (error) {
    if (!(error instanceof HookrelayError)) throw error;
    out.note(`warning: the rule could not be tried on past events: ${printable(error.message)}`);
    return null;
  }
}

/** Prints them on stderr, even with `--json`. */
function noteValues(out: Output, { tried, failed, samples }: RuleTrialAnswer): void {
  if (failed === 0) return;
  const has = failed === 1 ? 'has' : 'have';
  out.note(
    `warning: of the newest ${counted(tried, 'event')}, ${failed} ${has} a value that the rule cannot take`,
  );
  const faults = new Map<string, string>();
  for (const { error, event_id } of samples) {
    if (error !== undefined && !faults.has(error)) faults.set(error, event_id);
  }
  for (const [error, eventId] of faults) {
    out.note(`  ${printable(error)} (${printable(eventId)})`);
  }
}
