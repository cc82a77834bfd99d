import { MarkedError, usageError } from './command-error.ts';

const HINT = 'docs/rules.md describes rules';

/**
 * Checks a rule before a call. Throws a usage error with the place of the fault.
 *
 * @param name the flag in the error, such as `--where`
 */
export async function checkRule(rule: string, name: string): Promise<void> {
  // Import late, because rules load a regex engine that most commands don't need.
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
