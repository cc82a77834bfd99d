import { signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { hexLines } from '../../../core/text/hex-dump.ts';
import { formatSize } from '../../../core/text/size.ts';
import { counted } from '../../../core/text/words.ts';
import type { Decoded } from '../../text/decompress.ts';
import { CopyButton } from '../copy-button.tsx';
import { FieldTable } from '../field-table.tsx';
import { readable } from '../readable.ts';
import { ImageView } from './image-view.tsx';
import { JsonTree } from './json-tree.tsx';
import { PlainText } from './plain-text.tsx';
import { type BodyOf, type ShownBody, shownBody } from './shown-body.ts';
import { useDecoded } from './use-decoded.ts';
import { useFind } from './use-find.ts';
import { useIndex, useTextWork } from './use-text-work.ts';
import { XmlView } from './xml-view.tsx';
import '../../styles/body.css';

/** How many bytes the hex dump shows at first. */
const HEX_STEP = 8 * 1024;

type BodyMode = 'image' | 'pretty' | 'form' | 'raw' | 'hex';
const TITLES: Record<BodyMode, string> = {
  image: 'Preview',
  pretty: 'Pretty',
  form: 'Form',
  raw: 'Raw',
  hex: 'Hex',
};

/** The view that the user chose last. The next body uses that view if it can. */
const lastWay = signal<BodyMode | null>(null);

/** Shows a body, with a choice of views. The body's text is never interpreted as markup. */
export function BodyView({ event }: { event: BodyOf }) {
  const decoded = useDecoded(event);
  if (event.bytes.length === 0) return <p class="empty">The body is empty.</p>;
  if (decoded === undefined) return <p class="waiting">Decoding …</p>;
  return <Content event={event} decoded={decoded} />;
}

interface ContentProps {
  event: BodyOf;
  /** The decompressed body; null if the body isn't compressed. */
  decoded: Decoded | null;
}

function Content({ event, decoded }: ContentProps) {
  const shown = useMemo(() => shownBody(event, decoded), [event.bytes, decoded]);
  const { bytes, text, json, xml, fields, image } = shown;
  const work = useTextWork(json);
  const index = useIndex(work);
  const isJson = json !== null && index !== null;
  const ways: BodyMode[] = [
    ...(image ? (['image'] as const) : []),
    ...(isJson || xml ? (['pretty'] as const) : []),
    ...(fields && fields.length > 0 ? (['form'] as const) : []),
    ...(text !== null ? (['raw'] as const) : []),
    'hex',
  ];
  const chosen = lastWay.value;
  const way = chosen !== null && ways.includes(chosen) ? chosen : (ways[0] as BodyMode);
  const isTree = way === 'pretty' && isJson;
  const searched = searchedText(shown, way, isTree);
  const otherWork = useTextWork(searched === json ? null : searched);
  const find = useFind(searched === null ? null : searched === json ? work : otherWork);
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
        <span class="muted">{aboutText(event, decoded, shown, index?.roots ?? 0)}</span>
        <span class="fill" />
        {text !== null && <CopyButton text={text} label="Copy the body" />}
      </div>
      {json !== null && index === null && way === 'raw' && isLongJson(event) && (
        <p class="muted">This isn’t JSON, or it has too many values for a tree.</p>
      )}
      {way === 'image' && image && <ImageView bytes={bytes} image={image} />}
      {isTree &&
        (index ? (
          <JsonTree
            key={work?.id}
            text={json}
            index={index}
            find={find}
            endpointId={event.endpoint_id ?? null}
          />
        ) : (
          <div class="json is-coming" role="status" aria-label="Reading the body" />
        ))}
      {way === 'pretty' && !isJson && xml && (
        <XmlView lines={xml.lines} offsets={xml.offsets} find={find} />
      )}
      {way === 'form' && <FieldTable fields={fields ?? []} />}
      {way === 'raw' && <PlainText text={text as string} label="Raw body" find={find} />}
      {way === 'hex' && <Hex bytes={event.bytes} />}
    </div>
  );
}

/** Returns the text that the search field searches, or null if this view has no search. */
function searchedText(
  { json, xml, text }: ShownBody,
  way: BodyMode,
  isTree: boolean,
): string | null {
  if (way === 'raw') return text;
  if (way !== 'pretty') return null;
  return isTree ? json : (xml?.text ?? null);
}

/** The largest body that the server checks for JSON, bytes. */
const LONG_BYTES = 256 * 1024;
const isLongJson = ({ bytes }: BodyOf): boolean => bytes.length > LONG_BYTES;

function aboutText(
  event: BodyOf,
  decoded: Decoded | null,
  { text, isInForm, json }: ShownBody,
  documents: number,
): string {
  const parts = [formatSize(event.bytes.length)];
  if (decoded) {
    parts.push(`decoded from ${decoded.encoding === 'gzip' ? 'gzip' : 'deflate'}`);
    parts.push(`${decoded.isCut ? 'the first ' : ''}${formatSize(decoded.bytes.length)}`);
  }
  if (text === null) parts.push('not UTF-8');
  if (json !== null && isInForm) parts.push('from the field payload');
  if (documents > 1) parts.push(counted(documents, 'document'));
  return parts.join(', ');
}

function Hex({ bytes }: { bytes: Uint8Array }) {
  const [shown, setShown] = useState(HEX_STEP);
  return (
    <>
      <pre class="hex" {...readable('Body as hexadecimal bytes')}>
        {hexLines(bytes.subarray(0, shown)).join('\n')}
      </pre>
      {shown < bytes.length && (
        <button type="button" onClick={() => setShown(shown * 4)}>
          Show more of {formatSize(bytes.length)}
        </button>
      )}
    </>
  );
}
