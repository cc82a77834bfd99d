import { CopyButton } from '../copy-button.tsx';
import { readable } from '../readable.ts';
import type { CodeLanguage } from './code-language.ts';
import { HighlightedCode } from './highlighted-code.tsx';

interface CodeProps {
  text: string;
  label: string;
  /** The language, for colours. Null for a command. */
  language?: CodeLanguage | null;
}

/** Shows code to copy. Long code scrolls inside its box. */
export function Code({ text, label, language = null }: CodeProps) {
  return (
    <div class="code">
      <CopyButton text={text} label="Copy" class="code-copy" />
      <pre {...readable(label)}>
        {language === null ? text : <HighlightedCode text={text} language={language} />}
      </pre>
    </div>
  );
}
