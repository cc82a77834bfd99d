import * as v from 'valibot';
import { HANDLER_PAIRS } from '../../ai/handler/pairs.ts';
import { about } from '../about.ts';
import type { Calls } from '../contract.ts';
import { oneOf } from '../one-of.ts';

const engine = about(
  v.string(),
  'The engine of this answer: `builtin`, or `ollama/` and the model.',
);

const note = v.optional(
  about(v.string(), 'With `--ai ollama`: why the model has no part in this answer.'),
);

/** `anyOf` lists the valid pairs for the OpenAPI document only. The operation checks the pair. */
const handlerSchema = v.pipe(
  v.object({
    language: v.pipe(
      v.string('must be a string'),
      v.metadata({ enum: Object.keys(HANDLER_PAIRS), examples: ['typescript'] }),
    ),
    framework: v.pipe(
      v.string('must be a string'),
      v.metadata({
        description: 'A framework of the language; the alternatives list the pairs.',
        enum: [...new Set(Object.values(HANDLER_PAIRS).flat())],
        examples: ['express'],
      }),
    ),
  }),
  v.metadata({
    anyOf: Object.entries(HANDLER_PAIRS).map(([language, frameworks]) => ({
      type: 'object',
      properties: { language: { const: language }, framework: { enum: frameworks } },
    })),
  }),
);

const overQuerySchema = v.object({
  over: v.optional(
    about(
      oneOf(['event', 'type']),
      'event, the default: from this body alone; type: from all events of its type, and from ' +
        'this body alone where none was learned.',
    ),
  ),
});

const common = {
  tag: 'ai',
  access: 'event',
  scope: 'read',
  paid: true,
} as const;

export const AI_CALLS = {
  'GET /api/endpoints/{id}/events/{eventId}/ai/explain': {
    ...common,
    summary: 'Explain an event in plain English',
    response: v.object({ explanation: v.string(), engine, note }),
  },
  'GET /api/endpoints/{id}/events/{eventId}/ai/schema': {
    ...common,
    summary: 'Derive TypeScript interfaces from an event’s body, or from all of its type',
    query: overQuerySchema,
    response: v.object({ schema: v.string(), engine }),
  },
  'POST /api/endpoints/{id}/events/{eventId}/ai/handler': {
    ...common,
    summary: 'Write a handler for events like this one, and its test, in a framework',
    audit: { unaudited: 'it writes an answer and changes nothing' },
    query: overQuerySchema,
    body: handlerSchema,
    response: v.object({
      file: about(v.string(), 'The name of the handler’s file.'),
      code: v.string(),
      test_file: about(v.string(), 'The name of the test’s file, beside it.'),
      test: v.string(),
      engine,
      note,
    }),
  },
  'GET /api/endpoints/{id}/events/{eventId}/ai/diagnose': {
    ...common,
    summary: 'Explain why deliveries of an event failed, and suggest what to do',
    response: v.object({ diagnosis: v.string(), suggestion: v.string(), engine, note }),
  },
} as const satisfies Calls;
