import { Component } from 'preact';
import {
  type JsonIndex,
  kindOf,
  NO_PARENT,
  nameOf,
  writtenOf,
} from '../../../core/text/json-index.ts';
import { counted, formatCount } from '../../../core/text/words.ts';
import { Foreign } from '../foreign.tsx';
import { depthOf } from './json-lines.ts';
import type { LineOf } from './line-of.ts';
import { LineTools } from './line-tools.tsx';

/** A string is drawn up to this length, characters. A “more” button follows. */
const LONG_STRING = 2000;
/** The same limit for a line that doesn't wrap. */
const LONG_IN_ROW = 400;
/** The deepest indentation, levels. Deeper lines aren't indented further. */
const MOST_INDENTED = 40;

interface JsonLineProps extends LineOf {
  place: number;
  isClosing: boolean;
  isOpen: boolean;
  /** Whether the line doesn't wrap. */
  isRow: boolean;
  isActive: boolean;
  hasTools: boolean;
  onWhole(node: number): void;
}

/** Returns the id of a line, for `aria-activedescendant`. */
export const lineId = (place: number): string => `json-line-${place}`;

/** A line of a tree. It is drawn again only if one of its props changes. */
export class JsonLine extends Component<JsonLineProps> {
  override shouldComponentUpdate(next: JsonLineProps): boolean {
    const now = this.props;
    return (Object.keys(next) as (keyof JsonLineProps)[]).some((name) => next[name] !== now[name]);
  }

  override render() {
    const { index, node, place, isClosing, isOpen, isActive, hasTools } = this.props;
    const depth = depthOf(index, node, MOST_INDENTED);
    const at = { 'data-line': place, style: { '--depth': String(depth) } };
    const comma = isLastOf(index, node) ? '' : ',';
    if (isClosing) {
      return (
        <div class="json-line json-mark" role="presentation" {...at}>
          {this.#kind() === 'object' ? '}' : ']'}
          {comma}
        </div>
      );
    }
    const hasMembers = (index.members[node] as number) > 0;
    return (
      // biome-ignore lint/a11y/useFocusableInteractive: the tree keeps the focus, and names its active line
      <div
        class={`json-line ${isActive ? 'is-active' : ''}`}
        role="treeitem"
        id={lineId(place)}
        aria-level={depth + 1}
        aria-expanded={hasMembers ? isOpen : undefined}
        aria-selected={isActive}
        {...at}
      >
        {hasMembers && (
          <span class="json-toggle" data-mark="" aria-hidden="true">
            {isOpen ? '▾' : '▸'}
          </span>
        )}
        <span data-found="">
          {this.#name()}
          {hasMembers ? this.#container(comma) : this.#scalar(comma)}
        </span>
        {hasTools && <LineTools {...this.props} />}
      </div>
    );
  }

  #kind() {
    const { text, index, node } = this.props;
    return kindOf(text, index, node);
  }

  #name() {
    const { text, index, node } = this.props;
    const name = nameOf(text, index, node);
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

  #container(comma: string) {
    const { index, node, isOpen } = this.props;
    const isObject = this.#kind() === 'object';
    const [begin, end] = isObject ? ['{', '}'] : ['[', ']'];
    if (isOpen) return <span class="json-mark">{begin}</span>;
    const isCounted = !index.isPartial || (index.next[node] as number) < index.length;
    const what = isObject ? 'member' : 'item';
    return (
      <>
        <span class="json-mark" {...copiedAs(index, node)}>
          {begin}
          <span class="json-more">
            {isCounted ? counted(index.members[node] as number, what) : '…'}
          </span>
          {end}
        </span>
        {comma && <span class="json-mark">{comma}</span>}
      </>
    );
  }

  #scalar(comma: string) {
    const { text, index, node, isRow, onWhole } = this.props;
    const kind = this.#kind();
    if (kind === 'object' || kind === 'array') {
      return (
        <span class="json-mark">
          {kind === 'object' ? '{}' : '[]'}
          {comma}
        </span>
      );
    }
    const value = writtenOf(text, index, node);
    const most = isRow ? LONG_IN_ROW : LONG_STRING;
    const isCut = value.length > most;
    return (
      <>
        <span class={`json-${kind}`} {...copiedAs(index, node)}>
          <Foreign text={isCut ? value.slice(0, most) : value} />
        </span>
        {isCut && (
          <button
            type="button"
            class="link"
            data-mark=""
            tabIndex={-1}
            onClick={() => onWhole(node)}
          >
            … {formatCount(value.length - most)} more characters
          </button>
        )}
        {comma && <span class="json-mark">{comma}</span>}
      </>
    );
  }
}

/** Returns an element's place in the source as attributes, for copying. */
const copiedAs = ({ start, end }: JsonIndex, node: number) => ({
  'data-from': start[node],
  'data-to': end[node],
});

/** Returns whether no comma follows the value. Documents of NDJSON have no comma between them. */
function isLastOf({ next, parent, length, isPartial }: JsonIndex, node: number): boolean {
  const up = parent[node] as number;
  if (up === NO_PARENT) return true;
  const after = next[node] as number;
  return after === next[up] && !(isPartial && after === length);
}
