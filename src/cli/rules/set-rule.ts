import type { RuleVersionAnswer } from '../../api/rules/rule-answer.ts';
import { HookrelayError } from '../../core/errors.ts';
import { type RuleSource, shownRule } from '../../core/rules/rule.ts';
import { checkRule } from '../check-rule.ts';
import { destinationLabel, findDestination } from '../client/destination-ref.ts';
import type { Remote } from '../client/remote-command.ts';
import { tryRule } from '../client/rule-trial.ts';
import { requireConsent } from '../client/unfit-values.ts';
import { usageError } from '../command-error.ts';
import { printable } from '../terminal/output.ts';
import { diffLineText, ruleDiff } from './rule-diff.ts';
import { changedText, trialLines } from './rule-trial-text.ts';
import { ruleText, sourceOf, versionsOf } from './rule-versions.ts';

const TRIED_EVENTS = 1000;

export interface SetFlags {
  version: number | undefined;
  none: boolean;
  dryRun: boolean;
  yes: boolean;
}

export async function setRule(
  { client, out }: Remote,
  reference: string,
  named: string,
  rule: string | undefined,
  { version, none, dryRun, yes }: SetFlags,
): Promise<void> {
  if ([rule !== undefined, version !== undefined, none].filter(Boolean).length !== 1) {
    throw usageError('expected one rule', 'pass a rule, --version NUMBER, or --none');
  }
  if (rule !== undefined) await checkRule(rule, 'the rule');
  const { endpoint, destination, params } = await findDestination(client, reference, named);
  const versions = await versionsOf(client, params);
  const before = sourceOf(destination.filter);
  const after = version === undefined ? (rule?.trim() ?? null) : chosen(versions, version);
  const label = destinationLabel(destination);
  if (after === before) {
    const version = versions[0]?.version ?? null;
    const result = { before: shown(before), after: shown(after), trial: null, version };
    out.done(result, `${printable(label)} has this rule already.`);
    return;
  }
  if (!out.json) showDiff(out, before, after);
  const { trial } = await tryRule(client, endpoint.id, {
    filter: after,
    destination_id: destination.id,
    last: TRIED_EVENTS,
  });
  if (!out.json) {
    for (const line of trialLines(trial)) out.line(line);
    out.line(changedText(trial, label));
  }
  const set = async () => {
    if (version === undefined) {
      await client.call('PATCH /api/endpoints/{id}/destinations/{destinationId}', {
        params,
        body: { filter: after },
      });
    } else {
      await client.call('POST /api/endpoints/{id}/destinations/{destinationId}/rules/{version}', {
        params: { ...params, version: String(version) },
      });
    }
    return (await versionsOf(client, params))[0]?.version ?? null;
  };
  if (!dryRun) await requireConsent(out, trial, yes);
  const made = dryRun ? null : await set();
  const result = { before: shown(before), after: shown(after), trial, version: made };
  if (out.asJson(result)) return;
  if (dryRun) out.note('The rule is not set: --dry-run');
  else out.line(`set as version ${made}`);
}

function shown(rule: RuleSource | null): unknown {
  return rule === null ? null : shownRule(rule);
}

function chosen(versions: readonly RuleVersionAnswer[], version: number): RuleSource | null {
  const found = versions.find((one) => one.version === version);
  if (found) return sourceOf(found.filter);
  const kept = versions.map((one) => one.version).join(', ');
  throw new HookrelayError(
    'rule_version_not_found',
    `there is no version ${version} of this rule`,
    {
      hint: kept === '' ? 'the destination never had a rule' : `there are ${kept}`,
    },
  );
}

function showDiff(out: Remote['out'], before: RuleSource | null, after: RuleSource | null): void {
  const lines = ruleDiff(before, after);
  if (lines.every(({ sign }) => sign === ' ')) {
    out.line(`the same conditions, written as ${ruleText(after)}`);
    return;
  }
  for (const line of lines) out.line(diffLineText(line));
  if (after === null) out.line(ruleText(null));
}
