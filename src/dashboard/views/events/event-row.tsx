import { Component } from 'preact';
import type { EventSummaryAnswer } from '../../../api/events/event-answer.ts';
import { heldText } from '../../../core/text/held-text.ts';
import { formatSize } from '../../../core/text/size.ts';
import { counted } from '../../../core/text/words.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { STATUS_TEXT, StatusMark } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { codeClass, latencyText } from '../../text/event-facts.ts';
import { isolated } from '../../text/foreign-text.ts';
import { unjudgedText } from '../../text/unjudged-text.ts';
import {
  STATE_MEANINGS,
  VERIFICATION_MARKS,
  VERIFICATION_WORDS,
} from '../../text/verification-text.ts';

export const ROW_HEIGHT_PX = 36;
/** The height of a row on a phone, which has two lines. */
export const TALL_ROW_HEIGHT_PX = 56;
export const rowId = (eventId: string): string => `row-${eventId}`;

interface EventRowProps {
  event: EventSummaryAnswer | undefined;
  index: number;
  count: number;
  href: string;
  /** The endpoint's name in the list of all endpoints; null in the list of one endpoint. */
  endpointName: string | null;
  isSelected: boolean;
  isChosen: boolean;
  isNew: boolean;
  /** Whether the endpoint has a source. Unverified requests then get a sign. */
  isProven: boolean;
  /** Called before the click, when the pointer goes down. */
  onPress(event: EventSummaryAnswer): void;
  onClick(event: EventSummaryAnswer, click: MouseEvent): void;
  onChoose(event: EventSummaryAnswer, click: MouseEvent): void;
}

/** A component that is drawn again only if one of its properties changes. */
abstract class Still<P extends object> extends Component<P> {
  override shouldComponentUpdate(next: P): boolean {
    return (Object.keys(next) as (keyof P)[]).some((name) => next[name] !== this.props[name]);
  }
}

/**
 * A row of the list, which links to its event. A new event shifts all rows, but redraws no cells.
 */
export class EventRow extends Still<EventRowProps> {
  override render() {
    const { event, index, count, href, endpointName, isSelected, isChosen, isNew } = this.props;
    if (!event) return <BlankRow withEndpoint={endpointName !== null} />;
    const { id } = event;
    return (
      <a
        id={rowId(id)}
        class={`row${isNew ? ' is-new' : ''}`}
        href={href}
        draggable={false}
        role="option"
        aria-selected={isSelected}
        aria-checked={isChosen}
        aria-setsize={count}
        aria-posinset={index + 1}
        tabIndex={-1}
        onPointerDown={(down) => isPlain(down) && this.props.onPress(event)}
        onClick={(click) => this.props.onClick(event, click)}
      >
        {/* The key x does the same in the list, because an option may not contain controls. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: for the pointer */}
        <span
          class="pick"
          title="Choose (x)"
          onPointerDown={(down) => down.stopPropagation()}
          onClick={(click) => {
            click.preventDefault();
            click.stopPropagation();
            this.props.onChoose(event, click);
          }}
        />
        <Cells event={event} endpointName={endpointName} isProven={this.props.isProven} />
      </a>
    );
  }
}

/** Returns whether the next click opens the event in this tab. */
const isPlain = ({ button, ctrlKey, metaKey, shiftKey, altKey }: PointerEvent): boolean =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;

type CellsProps = Pick<EventRowProps, 'endpointName' | 'isProven'> & { event: EventSummaryAnswer };

class Cells extends Still<CellsProps> {
  override render() {
    const { event, endpointName, isProven } = this.props;
    const { received_at, size, response_code, latency_ms, retries } = event;
    return (
      <>
        <State event={event} />
        <Verification event={event} isProven={isProven} />
        {endpointName !== null && (
          <Foreign class="of-endpoint" title={isolated(endpointName)} text={endpointName} />
        )}
        <span class="provider">{event.provider}</span>
        <What event={event} />
        <span class="code">
          {response_code != null && (
            <span class={`is-${codeClass(response_code)}`} title={`first answer: ${response_code}`}>
              {response_code}
            </span>
          )}
        </span>
        <span class="latency" title="from the receipt to the first success">
          {latency_ms != null && latencyText(latency_ms)}
        </span>
        <span class="retries">
          {retries ? <span title={counted(retries, 'retry', 'retries')}>↻ {retries}</span> : null}
        </span>
        <span class="size">{formatSize(size)}</span>
        <Time class="time" at={received_at} />
      </>
    );
  }
}

/** Shows the status, or what holds the event. */
function State({ event: { status, held_by, delivery_counts } }: { event: EventSummaryAnswer }) {
  const held = held_by && heldText(held_by, delivery_counts.held);
  return (
    <span class={`state is-${status}`} title={held ? isolated(held) : undefined}>
      <StatusMark status={status} isHeld={held !== null} />
      <span class="state-word">
        {held === null ? STATUS_TEXT[status] : <Foreign text={held} />}
      </span>
    </span>
  );
}

function Verification({ event, isProven }: { event: EventSummaryAnswer; isProven: boolean }) {
  const { state } = event.verification;
  if (!isProven && state === 'unverified') return <span class="proof" />;
  return (
    <span
      class={`proof is-${state}`}
      title={`${VERIFICATION_WORDS[state]}: ${STATE_MEANINGS[state]}`}
    >
      <span aria-hidden="true">{VERIFICATION_MARKS[state]}</span>
      <span class="off-screen">{VERIFICATION_WORDS[state]}</span>
    </span>
  );
}

/** Shows the type, the method and the path. Without a type, the path fills two columns. */
function What({ event }: { event: EventSummaryAnswer }) {
  const { event_type: type, method, duplicate_of, unjudged } = event;
  const path = event.path === '' ? '/' : event.path;
  return (
    <>
      {type !== null && <Foreign class="type" title={isolated(type)} text={type} />}
      <span class={`what${type === null ? ' is-wide' : ''}`} title={isolated(`${method} ${path}`)}>
        <span class="method">{method}</span> <Foreign text={path} />
        {duplicate_of !== null && (
          <span class="badge" title={`repeats ${duplicate_of}`}>
            repeat
          </span>
        )}
        {unjudged && (
          <span class="badge" title={unjudgedText(unjudged)}>
            unjudged
          </span>
        )}
      </span>
    </>
  );
}

/** A row with the same columns, whose event isn't fetched yet. */
function BlankRow({ withEndpoint }: { withEndpoint: boolean }) {
  return (
    <div class="row is-blank" role="presentation">
      <span class="state" />
      {withEndpoint && (
        <span class="of-endpoint">
          <span class="blank" />
        </span>
      )}
      <span class="type">
        <span class="blank" />
      </span>
      <span class="what">
        <span class="blank" />
      </span>
      <span class="time">
        <span class="blank" />
      </span>
    </div>
  );
}

/** The headings of the columns. Screen readers skip them, because each row has its own words. */
export function RowHeads({ withEndpoint }: { withEndpoint: boolean }) {
  return (
    <div class="row row-heads" aria-hidden="true">
      <span class="state">
        <span class="state-word">Status</span>
      </span>
      <span class="proof" title="What the source says of the sender">
        ✓
      </span>
      {withEndpoint && <span class="of-endpoint">Endpoint</span>}
      <span class="provider">Provider</span>
      <span class="type">Type</span>
      <span class="what">Path</span>
      <span class="code" title="Code of the first answer">
        Code
      </span>
      <span class="latency" title="From the receipt to the first success">
        Latency
      </span>
      <span class="retries" title="Attempts beyond the first of each delivery">
        Retries
      </span>
      <span class="size">Size</span>
      <span class="time">Time</span>
    </div>
  );
}
