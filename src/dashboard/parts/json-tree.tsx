import { useMemo, useState } from 'preact/hooks';
import { plural } from '../text/format.ts';
import { type JsonNode, parseLossless } from '../text/lossless-json.ts';

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
  if (!root) return <pre class="raw">{text}</pre>;
  return (
    <div class="json">
      <Value text={text} node={root} name={null} depth={0} isLast />
    </div>
  );
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
      <Scalar kind={node.kind} text={text.slice(node.start, node.end)} />
      {!isLast && <span class="json-mark">,</span>}
    </div>
  );
}

function Key({ name }: { name: string | null }) {
  if (name === null) return null;
  return (
    <>
      <span class="json-key">{name}</span>
      <span class="json-mark">: </span>
    </>
  );
}

function Scalar({ kind, text }: { kind: JsonNode['kind']; text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (kind === 'object' || kind === 'array') {
    return <span class="json-mark">{kind === 'object' ? '{}' : '[]'}</span>;
  }
  const isCut = text.length > LONG_STRING && !isWhole;
  return (
    <>
      <span class={`json-${kind}`}>{isCut ? text.slice(0, LONG_STRING) : text}</span>
      {isCut && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          … {text.length - LONG_STRING} more characters
        </button>
      )}
    </>
  );
}

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
          aria-expanded={isOpen}
          aria-label={`${name ?? (node.kind === 'object' ? 'object' : 'array')}, ${plural(members.length, what)}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? '▾' : '▸'}
        </button>
        <Key name={name} />
        <span class="json-mark">{begin}</span>
        {!isOpen && (
          <>
            <button
              type="button"
              class="json-more"
              tabIndex={-1}
              aria-hidden="true"
              onClick={() => setOpen(true)}
            >
              {plural(members.length, what)}
            </button>
            <span class="json-mark">
              {end}
              {!isLast && ','}
            </span>
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
              <button type="button" class="link" onClick={() => setShown(shown + 10 * STEP)}>
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
