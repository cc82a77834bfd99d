import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { CallAnswer, CallBody, CallParams } from '../../../api/client/typed-call.ts';
import type { EventSummaryAnswer } from '../../../api/events/event-answer.ts';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { session } from '../../model/page.ts';
import { Code } from '../../parts/code/code.tsx';
import { type CodeLanguage, codeLanguage } from '../../parts/code/code-language.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Diagnosis } from './diagnosis.tsx';

const FRAMEWORKS: Record<string, string[]> = {
  typescript: ['express', 'fastify', 'nextjs'],
  javascript: ['express', 'fastify', 'nextjs'],
  python: ['fastapi'],
  go: ['gin'],
};

type Operation = 'explain' | 'schema' | 'handler' | 'diagnose';
const TITLES: Record<Operation, string> = {
  explain: 'Explain',
  schema: 'Schema',
  handler: 'Handler',
  diagnose: 'Diagnose',
};

const HANDLER = 'POST /api/endpoints/{id}/events/{eventId}/ai/handler';
type AiAnswer = CallAnswer<
  `GET /api/endpoints/{id}/events/{eventId}/ai/${Exclude<Operation, 'handler'>}` | typeof HANDLER
>;

/**
 * Requests an AI operation. The server makes a handler or a schema from all events of the type.
 * Without a learned type, it uses only this event. The other operations always use only this event.
 */
function askFor(
  operation: Operation,
  params: CallParams<typeof HANDLER>,
  body: CallBody<typeof HANDLER>,
): Promise<AiAnswer> {
  const query = { over: 'type' } as const;
  switch (operation) {
    case 'handler':
      return session.call(HANDLER, { params, query, body });
    case 'schema':
      return session.call('GET /api/endpoints/{id}/events/{eventId}/ai/schema', { params, query });
    default:
      return session.call(`GET /api/endpoints/{id}/events/{eventId}/ai/${operation}`, { params });
  }
}

type ExplainState =
  | { kind: 'idle' }
  | { kind: 'busy'; operation: Operation }
  | { kind: 'answered'; operation: Operation; answer: AiAnswer; language: string }
  | { kind: 'failed'; operation: Operation; error: ApiError };

/** The number of events whose latest answer is kept. */
const KEPT = 20;

/** The latest answer of each event. An answer survives a change of the tab. */
const states = signal<ReadonlyMap<string, ExplainState>>(new Map());

function keep(eventId: string, state: ExplainState): void {
  const others = [...states.value].filter(([id]) => id !== eventId);
  states.value = new Map([...others.slice(1 - KEPT), [eventId, state]]);
}

/** Offers the AI operations on an event. Each answer names its engine. */
export function Explain({ endpointId, event }: { endpointId: string; event: EventSummaryAnswer }) {
  const [language, setLanguage] = useState('typescript');
  const [framework, setFramework] = useState('express');
  const state = states.value.get(event.id) ?? { kind: 'idle' };
  const ask = async (operation: Operation) => {
    if (states.value.get(event.id)?.kind === 'busy') return;
    keep(event.id, { kind: 'busy', operation });
    const params = { id: endpointId, eventId: event.id };
    try {
      const answer = await askFor(operation, params, { language, framework });
      keep(event.id, { kind: 'answered', operation, answer, language });
    } catch (error) {
      keep(event.id, { kind: 'failed', operation, error: asApiError(error) });
    }
  };
  const choose = (next: string) => {
    setLanguage(next);
    setFramework(FRAMEWORKS[next]?.[0] as string);
  };
  return (
    <div class="ai">
      <div class="actions">
        {(['explain', 'schema', 'diagnose'] as const).map((operation) => (
          <button
            key={operation}
            type="button"
            onClick={() => ask(operation)}
            disabled={state.kind === 'busy'}
          >
            {TITLES[operation]}
          </button>
        ))}
        <span class="joined">
          <button type="button" onClick={() => ask('handler')} disabled={state.kind === 'busy'}>
            Handler
          </button>
          <select
            aria-label="Language"
            value={language}
            onChange={(change) => choose(change.currentTarget.value)}
          >
            {Object.keys(FRAMEWORKS).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <select
            aria-label="Framework"
            value={framework}
            onChange={(change) => setFramework(change.currentTarget.value)}
          >
            {FRAMEWORKS[language]?.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </span>
      </div>
      <div role="status">
        {state.kind === 'idle' && (
          <p class="muted">
            Explain the event, write its TypeScript interface or a handler, or diagnose a failed
            delivery.
          </p>
        )}
        {state.kind === 'busy' && <p class="waiting">{TITLES[state.operation]} …</p>}
        {state.kind === 'failed' && <Refused error={state.error} />}
        {state.kind === 'answered' && <AnswerView {...state} />}
      </div>
    </div>
  );
}

function Refused({ error }: { error: ApiError }) {
  if (error.code !== 'plan_required') return <Problem error={error} />;
  return (
    <div class="problem">
      <p>
        <strong>This needs the starter or the pro plan.</strong> The server’s operator grants it
        with
      </p>
      {error.hint && <Code text={error.hint} label="Command that grants the plan" />}
    </div>
  );
}

interface AnswerProps {
  operation: Operation;
  answer: AiAnswer;
  /** The language of the requested handler. */
  language: string;
}

function AnswerView({ operation, answer, language }: AnswerProps) {
  const inCode = codeLanguage(language);
  return (
    <div class="answer">
      <p class="muted">
        {TITLES[operation]} · by {answer.engine}
        {'note' in answer && answer.note && ` · ${answer.note}`}
      </p>
      {'explanation' in answer && <Prose text={answer.explanation} />}
      {'schema' in answer && (
        <Code text={answer.schema} label="TypeScript interface" language="typescript" />
      )}
      {'code' in answer && (
        <>
          <CodeFile text={answer.code} file={answer.file} label="Handler" language={inCode} />
          <CodeFile
            text={answer.test}
            file={answer.test_file}
            label="Test of the handler"
            language={inCode}
          />
        </>
      )}
      {'diagnosis' in answer && (
        <Diagnosis text={answer.diagnosis} suggestion={answer.suggestion} />
      )}
    </div>
  );
}

interface CodeFileProps {
  text: string;
  file: string;
  label: string;
  language: CodeLanguage | null;
}

function CodeFile({ text, file, label, language }: CodeFileProps) {
  return (
    <div class="code-file">
      <h3 class="mono">{file}</h3>
      <Code text={text} label={label} language={language} />
    </div>
  );
}

function Prose({ text }: { text: string }) {
  return (
    <div class="prose">
      {text.split(/\n{2,}/).map((paragraph, i) => (
        <p key={i}>
          <Foreign text={paragraph} kept={'\n'} />
        </p>
      ))}
    </div>
  );
}
