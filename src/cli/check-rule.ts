import { MarkedError, usageError } from './command-error.ts';

const HINT = 'docs/rules.md describes rules';

/**
 * Checks a rule before the server gets it. Throws a usage error that marks the faulty place.
 *
 * @param name what the error calls the rule: `--where`
 */
export async function checkRule(rule: string, name: string): Promise<void> {
  // Imported late: rules load a regex engine, and most commands don't need it.
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
