import * as v from 'valibot';
import { RuleSyntaxError } from '../rules/rule-syntax-error.ts';

/** @param problemOf what is wrong with a text; null for a good one. May throw `RuleSyntaxError` */
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
