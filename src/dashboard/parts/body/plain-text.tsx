import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatSize } from '../../../core/text/size.ts';
import { Foreign } from '../foreign.tsx';
import { readable } from '../readable.ts';
import { BodyTools } from './body-tools.tsx';
import { countBelow } from './find-text.ts';
import { clearHighlight, highlight } from './highlight.ts';
import { revealCurrent } from './scroll-pane.ts';
import type { Find } from './use-find.ts';

/** How many characters are shown at first and around a match. */
const STEP = 128 * 1024;

interface PlainTextProps {
  text: string;
  label: string;
  find?: Find;
}

/** Shows a part of a text unchanged: its beginning, or the text around a match. */
export function PlainText({ text, label, find }: PlainTextProps) {
  const box = useRef<HTMLPreElement>(null);
  const [shown, setShown] = useState({ from: 0, to: STEP });
  const at = find?.found?.starts[find.current];
  useLayoutEffect(() => {
    if (at === undefined || (at >= shown.from && at < shown.to)) return;
    setShown({ from: Math.max(0, at - STEP / 2), to: at + STEP / 2 });
  }, [at, find?.stamp]);
  useLayoutEffect(() => {
    if (!box.current || !find) return;
    const { starts } = find.found ?? { starts: new Uint32Array(0) };
    const nth = find.current === -1 ? -1 : find.current - countBelow(starts, shown.from);
    highlight(box.current, find.query, { element: nth < 0 ? null : box.current, nth });
  });
  useLayoutEffect(() => {
    revealCurrent();
  }, [find?.stamp, shown]);
  useLayoutEffect(() => clearHighlight, []);
  const { from, to } = shown;
  return (
    <>
      {find && <BodyTools find={find} />}
      {from > 0 && (
        <button
          type="button"
          class="more"
          onClick={() => setShown({ from: Math.max(0, from - STEP), to })}
        >
          Show what is before
        </button>
      )}
      <pre class="raw" ref={box} data-found="" {...readable(label)}>
        <Foreign text={text.slice(from, to)} kept={'\n\r\t'} />
      </pre>
      {to < text.length && (
        <button
          type="button"
          class="more"
          onClick={() => setShown({ from, to: to + (to - from) * 2 })}
        >
          Show more of {formatSize(text.length)}
        </button>
      )}
    </>
  );
}
