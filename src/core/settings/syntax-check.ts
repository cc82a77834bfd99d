import * as v from 'valibot';
import { RuleSyntaxError } from '../rules/rule-syntax-error.ts';

/**
 * Makes a schema check of a text.
 *
 * @param problemOf returns what is wrong with a text, or null; may throw `RuleSyntaxError`
 */
export function syntaxCheck(problemOf: (text: string) => string | null) {
  return v.rawCheck<string>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    try {
      const message = problemOf(dataset.value);
      if (message !== null) addIssue({ message });
    } catch (error) {
      if (!(error instanceof RuleSyntaxError)) throw error;
      addIssue({ message: error.message });
    }
  });
}
