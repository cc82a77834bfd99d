import type { AiEvent } from '../event-input.ts';
import { sharedTypes } from '../schema/generate-schema.ts';
import type { TypeGenerator } from '../types/type-generator.ts';
import { express } from './express.ts';
import { fastapi } from './fastapi.ts';
import { fastify } from './fastify.ts';
import { gin } from './gin.ts';
import { nextjs } from './nextjs.ts';
import { nodeHandler } from './node-handler.ts';
import { type HandlerPair, handlerPair } from './pairs.ts';
import { type HandlerPlan, planOf } from './plan.ts';

const TEMPLATES: Record<HandlerPair, (plan: HandlerPlan) => string> = {
  'typescript/express': (plan) => nodeHandler(plan, express, 'typescript'),
  'typescript/fastify': (plan) => nodeHandler(plan, fastify, 'typescript'),
  'typescript/nextjs': (plan) => nodeHandler(plan, nextjs, 'typescript'),
  'javascript/express': (plan) => nodeHandler(plan, express, 'javascript'),
  'javascript/fastify': (plan) => nodeHandler(plan, fastify, 'javascript'),
  'javascript/nextjs': (plan) => nodeHandler(plan, nextjs, 'javascript'),
  'python/fastapi': fastapi,
  'go/gin': gin,
};

/** Names that the templates use. A payload's types get other names. */
const RESERVED_NAMES = [
  ...['Any', 'Header', 'Headers', 'FastifyInstance', 'Request', 'Response', 'APIRouter'],
  ...[
    'TypedDict',
    'NotRequired',
    'Literal',
    'TypeAlias',
    'URLSearchParams',
    'TextDecoder',
    'Register',
  ],
  ...['Exception', 'ValueError', 'RecursionError', 'RuntimeError'],
];

/**
 * Generates a handler in one file. It verifies the signature, drops repetitions,
 * and calls the user's code with a typed payload.
 *
 * Only two of the sender's texts get into the code: the names of the payload's
 * members, which quicktype writes, and an event type of harmless characters.
 *
 * Throws `unsupported_framework`, and the errors of `TypeGenerator`.
 */
export async function generateHandler(
  event: AiEvent,
  target: { language: string; framework: string },
  options: { signal?: AbortSignal; types?: TypeGenerator } = {},
): Promise<string> {
  const pair = handlerPair(target.language, target.framework);
  const { signal, types = sharedTypes } = options;
  const { body, contentType, provider, eventType } = event;
  const language = pair.startsWith('python/')
    ? 'python'
    : pair.startsWith('go/')
      ? 'go'
      : 'typescript';
  const payload = await types.types(
    { body, contentType, provider, eventType, language, reservedNames: RESERVED_NAMES },
    signal,
  );
  return TEMPLATES[pair](planOf(event, payload));
}
