import { MarkedError, usageError } from './command-error.ts';

const HINT = 'docs/rules.md describes rules';

/**
 * Checks a rule before a call. Throws wrong usage that marks the place.
 *
 * @param name the rule's name in the error: `--where`
 */
export async function checkRule(rule: string, name: string): Promise<void> {
  // Imported late: rules load a regex engine, which most commands needn't.
  const [{ checkedSource }, { ruleFault }] = await Promise.all([
    import('../core/rules/rule.ts'),
    import('./rule-fault.ts'),
  ]);
  try {
    const fault = ruleFault(rule);
    if (fault) throw new MarkedError(`${name}: ${fault.message}`, rule, fault.at, HINT);
    checkedSource(rule);
  } catch (error) {
    if (error instanceof MarkedError || (error as Error).name !== 'RuleFieldErrors') throw error;
    throw usageError(`${name}: ${(error as Error).message}`, HINT);
  }
}
