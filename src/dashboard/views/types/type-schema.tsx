import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { IssueAnswer } from '../../../api/issues/issue-answer.ts';
import type { EventTypeAnswer } from '../../../api/types/event-type-answer.ts';
import { counted } from '../../../core/text/words.ts';
import { asTyped } from '../../model/as-typed.ts';
import { navigate, typePath } from '../../model/router.ts';
import { Code } from '../../parts/code/code.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { useCall } from '../../parts/hooks/use-call.ts';
import { useKept } from '../../parts/hooks/use-kept.ts';
import { Problem } from '../../parts/problem.tsx';
import { Time } from '../../parts/time.tsx';
import { Drifts } from './drifts.tsx';
import { isDriftOf } from './is-drift-of.ts';
import { NO_TYPE } from './type-list.tsx';

const FORMATS = [
  ['typescript', 'TypeScript'],
  ['zod', 'Zod'],
  ['jsonschema', 'JSON Schema'],
  ['pydantic', 'Pydantic'],
  ['go', 'Go'],
] as const;

interface TypeSchemaProps {
  endpoint: EndpointAnswer;
  /** The event type; empty for events without a type. */
  type: string;
  format: string | undefined;
  types: readonly EventTypeAnswer[];
  drifts: readonly IssueAnswer[];
}

/** Shows a type's schema in the chosen format. */
export function TypeSchema({
  endpoint: { id },
  type,
  format = FORMATS[0][0],
  types,
  drifts,
}: TypeSchemaProps) {
  const loaded = useCall('GET /api/endpoints/{id}/types/schema', {
    params: { id },
    query: asTyped({ type, format }),
  });
  const { error, reload } = loaded;
  const { value, isStale } = useKept(loaded);
  const name = type === '' ? NO_TYPE : type;
  const known = types.find((one) => (one.type ?? '') === type);
  return (
    <>
      <p>
        <a href={`/endpoints/${id}/types`}>← All types</a>
      </p>
      <section>
        <h2 class="wrap">
          <Foreign text={name} />
        </h2>
        {known && (
          <p class="muted">
            {known.provider !== null && `${known.provider} · `}
            {counted(known.count, 'event')} · first <Time at={known.first_at} form="said" /> · last{' '}
            <Time at={known.last_at} form="said" />
          </p>
        )}
        <Drifts drifts={drifts.filter((drift) => isDriftOf(drift, type))} />
        <div class={`snippets${isStale ? ' renewing' : ''}`} aria-busy={isStale}>
          <fieldset class="segments" aria-label="Format">
            {FORMATS.map(([one, title]) => (
              <button
                key={one}
                type="button"
                aria-pressed={one === format}
                onClick={() => navigate(typePath(id, type, one), { replace: true })}
              >
                {title}
              </button>
            ))}
          </fieldset>
          {error && <Problem error={error} {...(error.status !== 404 && { retry: reload })} />}
          {!value && !error && <p class="waiting">Loading …</p>}
          {value && <Code text={value.schema} label={`Schema of ${name}`} />}
        </div>
      </section>
    </>
  );
}
