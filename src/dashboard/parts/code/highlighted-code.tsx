import { useEffect, useState } from 'preact/hooks';
import type { CodeLanguage } from './code-language.ts';
import type { CodeToken } from './code-tokens.ts';

/** The longest code that gets colours, characters. */
const LONGEST = 200_000;

interface Known {
  text: string;
  language: CodeLanguage;
  tokens: readonly CodeToken[];
}

/** Shows code in the colours of its language once the highlighter is loaded. */
export function HighlightedCode({ text, language }: { text: string; language: CodeLanguage }) {
  const [known, setKnown] = useState<Known | null>(null);
  // The state may still have the tokens of another text.
  const tokens = known?.text === text && known.language === language ? known.tokens : null;
  useEffect(() => {
    let isLeft = false;
    if (text.length > LONGEST) return;
    // If the highlighter can't be loaded, the code stays plain.
    import('./code-tokens.ts').then(
      ({ tokensOf }) => !isLeft && setKnown({ text, language, tokens: tokensOf(text, language) }),
      () => undefined,
    );
    return () => {
      isLeft = true;
    };
  }, [text, language]);
  return (
    <code>
      {tokens?.map((token, i) =>
        token.kind === null ? (
          token.text
        ) : (
          <span key={i} class={`code-${token.kind}`}>
            {token.text}
          </span>
        ),
      ) ?? text}
    </code>
  );
}
