import { Code } from '../../parts/code/code.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { suggestionSteps } from './suggestion-steps.ts';

/** What to do, step by step, with the commands to copy. */
export function IssueSteps({ suggestion }: { suggestion: string }) {
  return (
    <section>
      <h2>What to do</h2>
      <ol class="steps">
        {suggestionSteps(suggestion).map(({ text, commands }, i) => (
          <li key={i}>
            <p class="wrap">
              <Foreign text={text} />
            </p>
            {commands.map((command) => (
              <Code key={command} text={command} label={`Command: ${command}`} />
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}
