import { useState } from 'preact/hooks';
import { Code } from './code.tsx';

interface CodeChoiceProps {
  choices: readonly { name: string; text: string }[];
  /** What the chosen one is. */
  label(name: string): string;
}

/** Code to take away, in the language of one's choice; first in the first. */
export function CodeChoice({ choices, label }: CodeChoiceProps) {
  const [name, setName] = useState(choices[0]?.name);
  const shown = choices.find((choice) => choice.name === name);
  return (
    <div class="snippets">
      <fieldset class="segments" aria-label="Language">
        {choices.map((choice) => (
          <button
            key={choice.name}
            type="button"
            aria-pressed={choice === shown}
            onClick={() => setName(choice.name)}
          >
            {choice.name}
          </button>
        ))}
      </fieldset>
      {shown && <Code text={shown.text} label={label(shown.name)} />}
    </div>
  );
}
