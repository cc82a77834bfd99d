import { describe } from 'vitest';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { describeHandlers } from './handler-conformance.ts';
import { nodeServer } from './handler-servers.ts';

failOnLeaks();

describe.each([
  ['javascript', 'js', 'express'],
  ['javascript', 'js', 'fastify'],
  ['javascript', 'js', 'nextjs'],
  ['typescript', 'ts', 'express'],
  ['typescript', 'ts', 'fastify'],
  ['typescript', 'ts', 'nextjs'],
] as const)('%s (.%s) for %s', (language, extension, framework) => {
  describeHandlers(language, framework, (handlers, env) =>
    nodeServer(framework, extension, handlers, env),
  );
});
