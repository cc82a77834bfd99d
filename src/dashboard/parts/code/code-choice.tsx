import { useState } from 'preact/hooks';
import { Code } from './code.tsx';
import { codeLanguage } from './code-language.ts';

interface CodeChoiceProps {
  choices: readonly { name: string; text: string }[];
  /** Returns the label of the code with this name. */
  label(name: string): string;
}

/** Shows code to copy, with a choice of languages. The first language is the default. */
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
      {shown && (
        <Code text={shown.text} label={label(shown.name)} language={codeLanguage(shown.name)} />
      )}
    </div>
  );
}
