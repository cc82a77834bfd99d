import { useMemo, useRef, useState } from 'preact/hooks';
import { isolated } from '../text/foreign-text.ts';
import { plural } from '../text/format.ts';
import { type JsonMember, type JsonNode, parseLossless } from '../text/lossless-json.ts';
import { Foreign } from './foreign.tsx';

/** Length of a text that opens whole except for very deep levels. Longer texts open their outer levels. */
const SHORT_CHARACTERS = 6000;
const SHORT_OPEN_DEPTH = 12;
const OPEN_DEPTH = 2;
const OPEN_MEMBERS = 60;
/** Members of one object or array that a step draws. */
const STEP = 100;
/** Characters of one string that are drawn before “more”. */
const LONG_STRING = 2000;

/** A JSON text as a tree that opens and closes. Every value keeps its spelling. */
export function JsonTree({ text }: { text: string }) {
  const root = useMemo(() => parseLossless(text), [text]);
  const box = useRef<HTMLDivElement>(null);
  if (!root) return <pre class="raw">{text}</pre>;
  return (
    <div
      class="json"
      ref={box}
      onCopy={(event) => box.current && copyJson(event, box.current, text)}
    >
      <Value text={text} node={root} name={null} depth={0} isLast />
    </div>
  );
}

/**
 * Copies what is selected as JSON: closed parts and cut strings whole, no marks, and hidden
 * characters as they are.
 */
function copyJson(event: ClipboardEvent, box: HTMLElement, text: string): void {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || !box.contains(selection.anchorNode)) return;
  const selected = document.createElement('div');
  for (let i = 0; i < selection.rangeCount; i++) {
    selected.append(selection.getRangeAt(i).cloneContents());
  }
  for (const mark of selected.querySelectorAll('[data-mark]')) mark.remove();
  for (const whole of selected.querySelectorAll<HTMLElement>('[data-from]')) {
    whole.textContent = text.slice(Number(whole.dataset.from), Number(whole.dataset.to));
  }
  for (const line of selected.querySelectorAll('.json-line')) line.append('\n');
  event.clipboardData?.setData('text/plain', (selected.textContent ?? '').trimEnd());
  event.preventDefault();
}

interface ValueProps {
  text: string;
  node: JsonNode;
  name: string | null;
  depth: number;
  isLast: boolean;
}

function Value(props: ValueProps) {
  const { text, node, name, isLast } = props;
  if (node.members.length > 0) return <Container {...props} />;
  return (
    <div class="json-line">
      <Key name={name} />
      <Scalar node={node} text={text} />
      {!isLast && <span class="json-mark">,</span>}
    </div>
  );
}

function Key({ name }: { name: string | null }) {
  if (name === null) return null;
  return (
    <>
      <span class="json-key">
        <Foreign text={name} />
      </span>
      <span class="json-mark">: </span>
    </>
  );
}

function Scalar({ node, text }: { node: JsonNode; text: string }) {
  const [isWhole, setWhole] = useState(false);
  const { kind, start, end } = node;
  if (kind === 'object' || kind === 'array') {
    return <span class="json-mark">{kind === 'object' ? '{}' : '[]'}</span>;
  }
  const value = text.slice(start, end);
  const isCut = value.length > LONG_STRING && !isWhole;
  return (
    <>
      <span class={`json-${kind}`} {...copiedAs(node)}>
        <Foreign text={isCut ? value.slice(0, LONG_STRING) : value} />
      </span>
      {isCut && (
        <button type="button" class="link" data-mark="" onClick={() => setWhole(true)}>
          … {value.length - LONG_STRING} more characters
        </button>
      )}
    </>
  );
}

/** The members that aren't drawn, from behind the comma of the last one that is. */
const restOf = (members: readonly JsonMember[], shown: number) => ({
  start: (members[shown - 1]?.value.end ?? 0) + 1,
  end: members.at(-1)?.value.end ?? 0,
});

/** Where the text of an element stands in the source, for a copy. */
const copiedAs = ({ start, end }: Pick<JsonNode, 'start' | 'end'>) => ({
  'data-from': start,
  'data-to': end,
});

function Container({ text, node, name, depth, isLast }: ValueProps) {
  const { members } = node;
  const [isOpen, setOpen] = useState(
    depth < (text.length <= SHORT_CHARACTERS ? SHORT_OPEN_DEPTH : OPEN_DEPTH) &&
      (depth === 0 || members.length <= OPEN_MEMBERS),
  );
  const [shown, setShown] = useState(STEP);
  const [begin, end] = node.kind === 'object' ? ['{', '}'] : ['[', ']'];
  const what = node.kind === 'object' ? 'member' : 'item';
  return (
    <div class="json-box">
      <div class="json-line">
        <button
          type="button"
          class="json-toggle"
          data-mark=""
          aria-expanded={isOpen}
          aria-label={`${name === null ? (node.kind === 'object' ? 'object' : 'array') : isolated(name)}, ${plural(members.length, what)}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? '▾' : '▸'}
        </button>
        <Key name={name} />
        {isOpen ? (
          <span class="json-mark">{begin}</span>
        ) : (
          <>
            <span class="json-mark" {...copiedAs(node)}>
              {begin}
              <button
                type="button"
                class="json-more"
                tabIndex={-1}
                aria-hidden="true"
                onClick={() => setOpen(true)}
              >
                {plural(members.length, what)}
              </button>
              {end}
            </span>
            {!isLast && <span class="json-mark">,</span>}
          </>
        )}
      </div>
      {isOpen && (
        <>
          <div class="json-members">
            {members.slice(0, shown).map(({ key, value }, i) => (
              <Value
                key={i}
                text={text}
                node={value}
                name={key}
                depth={depth + 1}
                isLast={i === members.length - 1}
              />
            ))}
            {shown < members.length && (
              <button
                type="button"
                class="link"
                {...copiedAs(restOf(members, shown))}
                onClick={() => setShown(shown + 10 * STEP)}
              >
                … {plural(members.length - shown, `more ${what}`)}
              </button>
            )}
          </div>
          <div class="json-line json-mark">
            {end}
            {!isLast && ','}
          </div>
        </>
      )}
    </div>
  );
}
