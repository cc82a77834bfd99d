import { stepsOf } from '../text/steps.ts';
import { Code } from './code/code.tsx';
import { Foreign } from './foreign.tsx';

/** Shows the steps of a suggestion, with commands that can be copied. */
export function Steps({ suggestion }: { suggestion: string }) {
  return (
    <ol class="steps">
      {stepsOf(suggestion).map(({ text, commands }, i) => (
        <li key={i}>
          <p class="prose">
            <Foreign text={text} />
          </p>
          {commands.map((command) => (
            <Code key={command} text={command} label={`Command: ${command}`} />
          ))}
        </li>
      ))}
    </ol>
  );
}
