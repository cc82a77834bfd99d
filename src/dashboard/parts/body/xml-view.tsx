import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Foreign } from '../foreign.tsx';
import { BodyTools } from './body-tools.tsx';
import { countBelow } from './find-text.ts';
import type { XmlLine, XmlToken } from './format-xml.ts';
import { clearHighlight, highlight } from './highlight.ts';
import { revealCurrent } from './scroll-pane.ts';
import type { Find } from './use-find.ts';
import { lineElement, MOST_DRAWN, VirtualLines } from './virtual-lines.tsx';

/** The class that colours each kind of token. */
const CLASSES: Record<XmlToken['kind'], string> = {
  mark: 'json-mark',
  name: 'json-key',
  attribute: 'json-number',
  value: 'json-string',
  text: '',
  note: 'code-comment',
};

/** The longest token in a line that doesn't wrap, characters. */
const LONG_IN_ROW = 2000;

interface XmlViewProps {
  lines: readonly XmlLine[];
  /** The offset of each line in the text that `find` searches. */
  offsets: Uint32Array;
  find: Find;
}

/** Shows XML with one tag per line. Draws everything as text, and never as markup. */
export function XmlView({ lines, offsets, find }: XmlViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const [stamp, setStamp] = useState(0);
  const { found, current } = find;
  const offset = found?.starts[current];
  const place = offset === undefined ? -1 : countBelow(offsets, offset + 1) - 1;
  useLayoutEffect(() => setStamp(find.stamp), [find.stamp]);
  const onDrawn = () => {
    if (!box.current) return;
    const element = place === -1 ? null : lineElement(box.current, place);
    const nth = found && place !== -1 ? current - countBelow(found.starts, offsets[place] ?? 0) : 0;
    highlight(box.current, find.query, { element, nth });
  };
  useLayoutEffect(() => revealCurrent(), [stamp]);
  useLayoutEffect(() => clearHighlight, []);
  const isLong = lines.length > MOST_DRAWN;
  return (
    <>
      <BodyTools find={find} />
      <VirtualLines
        box={box}
        class="xml"
        count={lines.length}
        reveal={place === -1 ? null : { place, stamp: find.stamp }}
        onDrawn={onDrawn}
        attributes={{
          role: 'textbox',
          tabIndex: 0,
          'aria-readonly': true,
          'aria-multiline': true,
          'aria-label': 'Body as XML',
        }}
        line={(at) => {
          const { depth, tokens } = lines[at] as XmlLine;
          return (
            <div
              key={at}
              class="xml-line"
              data-line={at}
              data-found=""
              style={{ '--depth': String(Math.min(depth, 40)) }}
            >
              {tokens.map(({ kind, text }, i) => (
                <span key={i} class={CLASSES[kind]}>
                  <Foreign text={isLong ? text.slice(0, LONG_IN_ROW) : text} kept={'\n\r\t'} />
                </span>
              ))}
            </div>
          );
        }}
      />
    </>
  );
}
