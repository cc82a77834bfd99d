import { signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import type { EventDetail } from '../text/event/event-answer.ts';
import { formFields, payloadOfForm } from '../text/form-fields.ts';
import { sizeText } from '../text/format.ts';
import { hexLines } from '../text/hex.ts';
import { CopyButton } from './copy-button.tsx';
import { FieldTable } from './field-table.tsx';
import { JsonTree } from './json-tree.tsx';
import { readable } from './readable.ts';

/** Size of a step of “Show more”, raw and as hex, bytes. */
const RAW_STEP = 256 * 1024;
const HEX_STEP = 8 * 1024;

type Way = 'pretty' | 'form' | 'raw' | 'hex';
const TITLES: Record<Way, string> = { pretty: 'Pretty', form: 'Form', raw: 'Raw', hex: 'Hex' };

/** The way that somebody chose last: the next body is shown so too, where it can. */
const lastWay = signal<Way | null>(null);

type ShownBody = Pick<EventDetail, 'content_type' | 'body_encoding' | 'bytes' | 'text'>;

/** A body with a choice of views. The body's text is never interpreted as markup. */
export function BodyView({ event }: { event: ShownBody }) {
  const { text, bytes } = event;
  const fields = useMemo(() => formFields(event.content_type, bytes), [event]);
  const inForm = useMemo(() => payloadOfForm(event.content_type, text), [event]);
  const json = event.body_encoding === 'json' ? text : inForm;
  const ways: Way[] = [
    ...(json !== null ? (['pretty'] as const) : []),
    ...(fields && fields.length > 0 ? (['form'] as const) : []),
    ...(text !== null ? (['raw'] as const) : []),
    'hex',
  ];
  const chosen = lastWay.value;
  const way = chosen !== null && ways.includes(chosen) ? chosen : (ways[0] as Way);
  if (bytes.length === 0) return <p class="empty">The body is empty.</p>;
  return (
    <div class="body">
      <div class="body-head">
        <fieldset class="segments" aria-label="How to show the body">
          {ways.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === way}
              onClick={() => (lastWay.value = one)}
            >
              {TITLES[one]}
            </button>
          ))}
        </fieldset>
        <span class="muted">
          {sizeText(bytes.length)}
          {text === null && ', not UTF-8'}
          {way === 'pretty' && inForm !== null && ', from the field payload'}
        </span>
        <span class="fill" />
        {text !== null && <CopyButton text={text} label="Copy the body" />}
      </div>
      {way === 'pretty' && <JsonTree text={json as string} />}
      {way === 'form' && <FieldTable fields={fields ?? []} />}
      {way === 'raw' && <Raw text={text as string} />}
      {way === 'hex' && <Hex bytes={bytes} />}
    </div>
  );
}

function Raw({ text }: { text: string }) {
  const [shown, setShown] = useState(RAW_STEP);
  return (
    <>
      <pre class="raw" {...readable('Raw body')}>
        {text.slice(0, shown)}
      </pre>
      {shown < text.length && (
        <button type="button" onClick={() => setShown(shown * 4)}>
          Show more of {sizeText(text.length)}
        </button>
      )}
    </>
  );
}

function Hex({ bytes }: { bytes: Uint8Array }) {
  const [shown, setShown] = useState(HEX_STEP);
  return (
    <>
      <pre class="hex" {...readable('Body as hexadecimal bytes')}>
        {hexLines(bytes, 0, shown)}
      </pre>
      {shown < bytes.length && (
        <button type="button" onClick={() => setShown(shown * 4)}>
          Show more of {sizeText(bytes.length)}
        </button>
      )}
    </>
  );
}
