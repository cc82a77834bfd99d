/** A step of a suggestion, with the commands that it names. */
export interface SuggestionStep {
  text: string;
  commands: string[];
}

const PROGRAM = '(?:hookrelay (?!--)|curl |dig |nc |ss |date |openssl |getent |npx )';
const WITH_COMMAND = new RegExp(`^(.*?): (${PROGRAM}.*)$`);
const NEXT_COMMAND = new RegExp(`(?:; |, then )(?=${PROGRAM})`);

/**
 * The steps of a suggestion, which has one a line, some of them numbered. A command stands
 * behind a colon: `See what waits: hookrelay deliveries list …`.
 */
export function suggestionSteps(suggestion: string): SuggestionStep[] {
  return suggestion
    .split('\n')
    .map((line) => line.replace(/^\s*\d+\.\s+/, '').trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, text, commands] = WITH_COMMAND.exec(line) ?? [];
      if (text === undefined || commands === undefined) return { text: line, commands: [] };
      return { text, commands: commands.split(NEXT_COMMAND) };
    });
}
