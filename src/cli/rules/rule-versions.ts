import { styleText } from 'node:util';
import type { RuleVersionAnswer } from '../../api/rules/rule-answer.ts';
import { type Value, writeDocument } from '../../core/rules/document.ts';
import type { RuleSource } from '../../core/rules/rule.ts';
import type { ApiClient } from '../client/api-client.ts';
import {
  destinationLabel,
  type FoundDestination,
  findDestination,
} from '../client/destination-ref.ts';
import type { Remote } from '../client/remote-command.ts';
import { dim, printable } from '../terminal/output.ts';
import { timeText } from '../terminal/value-text.ts';
import { diffLineText, ruleDiff } from './rule-diff.ts';

const INDENT = '   ';
const KEPT_VERSIONS = 100;

/** Returns the newest version first. Keeps all digits of numbers in rules. */
export async function versionsOf(
  client: ApiClient,
  params: FoundDestination['params'],
): Promise<RuleVersionAnswer[]> {
  const { data } = await client.call('GET /api/endpoints/{id}/destinations/{destinationId}/rules', {
    params,
    query: { limit: KEPT_VERSIONS },
    exact: true,
  });
  return data;
}

export function sourceOf(filter: unknown): RuleSource | null {
  if (filter === null || typeof filter === 'string') return filter;
  return writeDocument(filter as Value);
}

export function ruleText(rule: RuleSource | null): string {
  return rule === null ? dim('no rule: every event passes') : printable(rule);
}

export async function listVersions(
  { client, out }: Remote,
  reference: string,
  named: string,
): Promise<void> {
  const { params, destination } = await findDestination(client, reference, named);
  const versions = await versionsOf(client, params);
  if (out.asJson(versions)) return;
  if (versions.length === 0) {
    out.note(`${printable(destinationLabel(destination))} never had a rule: every event passes.`);
    return;
  }
  for (const [i, { version, filter, changed_at, changed_by }] of versions.entries()) {
    const by = changed_by === null ? '' : `  ${printable(changed_by)}`;
    const present = i === 0 ? '  (present)' : '';
    const title = String(version).padEnd(INDENT.length - 1);
    out.line(`${styleText('bold', title)} ${timeText(changed_at)}${by}${dim(present)}`);
    out.line(INDENT + ruleText(sourceOf(filter)));
    const before = versions[i + 1];
    if (!before) continue;
    for (const line of ruleDiff(sourceOf(before.filter), sourceOf(filter))) {
      if (line.sign !== ' ') out.line(INDENT + diffLineText(line));
    }
  }
}
