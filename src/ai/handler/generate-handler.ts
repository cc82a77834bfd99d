import type { JobTerms } from '../../core/threads/job-thread.ts';
import type { AiEvent } from '../event-input.ts';
import type { ParserFormat } from '../types/payload-types.ts';
import type { TypeGenerator } from '../types/type-generator.ts';
import { gin } from './gin/gin.ts';
import { ginTest } from './gin/gin-test.ts';
import { express } from './node/express.ts';
import { fastify } from './node/fastify.ts';
import { nextjs } from './node/nextjs.ts';
import { type NodeFramework, nodeHandler } from './node/node-handler.ts';
import { nodeTest } from './node/node-test.ts';
import { type Annotate, JAVASCRIPT, TYPESCRIPT } from './node/node-verify.ts';
import { type HandlerPair, handlerPair } from './pairs.ts';
import { type HandlerPlan, planOf } from './plan.ts';
import { fastapi } from './python/fastapi.ts';
import { fastapiTest } from './python/fastapi-test.ts';

export interface GeneratedHandler {
  file: string;
  code: string;
  testFile: string;
  test: string;
}

interface Template {
  file: string;
  testFile: string;
  parser: ParserFormat;
  code(plan: HandlerPlan): string;
  test(plan: HandlerPlan): string;
}

const TEMPLATES: Record<HandlerPair, Template> = {
  'typescript/express': node(express, TYPESCRIPT),
  'typescript/fastify': node(fastify, TYPESCRIPT),
  'typescript/nextjs': node(nextjs, TYPESCRIPT),
  'javascript/express': node(express, JAVASCRIPT),
  'javascript/fastify': node(fastify, JAVASCRIPT),
  'javascript/nextjs': node(nextjs, JAVASCRIPT),
  'python/fastapi': {
    ...{ file: 'webhooks.py', testFile: 'test_webhooks.py' },
    ...{ parser: 'pydantic', code: fastapi, test: fastapiTest },
  },
  'go/gin': {
    ...{ file: 'webhooks.go', testFile: 'webhooks_test.go' },
    ...{ parser: 'go', code: gin, test: ginTest },
  },
};

function node(framework: NodeFramework, t: Annotate): Template {
  const { module } = framework;
  return {
    file: `${module}.${t.extension}`,
    testFile: `${module}.test.${t.extension}`,
    parser: 'zod',
    code: (plan) => nodeHandler(plan, framework, t),
    test: (plan) => nodeTest(plan, framework, t),
  };
}

/** Names that the templates use. A payload's types get other names. */
const RESERVED_NAMES = [
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  ...['Any', 'Header', 'Headers', 'FastifyInstance', 'Request', 'Response', 'APIRouter'],
  ...['Misfit', 'BaseModel', 'Literal', 'URLSearchParams', 'TextDecoder', 'Register'],
  ...['TestWebhooks'],
  ...['Exception', 'ValueError', 'ValidationError', 'RecursionError', 'RuntimeError'],
  ...['Model', 'TypeVar'],
];

export interface HandlerOptions {
  types: TypeGenerator;
  /**
   * The shape learned for the event's type (`storedShape`). If null, the default, the types come
   * from this event alone.
   */
  learned?: Uint8Array | null;
  terms?: JobTerms;
}

/**
 * Writes a handler and its test. The handler verifies the signature, drops repeats, parses the
 * payload and calls the user's code. The test sends the captured payload with valid, wrong and
 * expired signatures.
 *
 * The sender's text could inject code. So the handler contains only names of members, and an event
 * type of harmless characters. The test contains the payload as literals.
 *
 * Throws `unsupported_framework`, and the errors of `TypeGenerator`.
 */
export async function generateHandler(
  event: AiEvent,
  target: { language: string; framework: string },
  { types, learned = null, terms }: HandlerOptions,
): Promise<GeneratedHandler> {
  const template = TEMPLATES[handlerPair(target.language, target.framework)];
  const { body, contentType, provider, eventType } = event;
  const payload = await types.types(
    {
      ...{ body, contentType, provider, eventType, learned },
      ...{ format: template.parser, reservedNames: RESERVED_NAMES },
    },
    terms,
  );
  const plan = planOf(event, payload);
  const { file, testFile } = template;
  return { file, code: template.code(plan), testFile, test: template.test(plan) };
}
