interface Step {
  text: string;
  commands: string[];
}

const PROGRAM =
  '(?:hookrelay (?!--)|(?:curl|dig|openssl|getent|nc|ss|ping|jq|date|npx|docker|systemctl|ufw) )';
const WITH_COMMAND = new RegExp(`^(.*?(?::|\\?)) (${PROGRAM}.*)$`);
const NEXT_COMMAND = new RegExp(`(?:; |, then )(?=${PROGRAM})`);

/**
 * Splits a suggestion into steps, one per line, and removes the steps' numbers. A command follows a
 * colon or a question mark: `See what waits: hookrelay deliveries list …`.
 */
export function stepsOf(suggestion: string): Step[] {
  return suggestion
    .split('\n')
    .map((line) => line.replace(/^\s*\d+\.\s+/, '').trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, text = line, commands] = WITH_COMMAND.exec(line) ?? [];
      return { text, commands: commands?.split(NEXT_COMMAND) ?? [] };
    });
}
