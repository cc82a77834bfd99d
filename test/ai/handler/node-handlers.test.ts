import ts from 'typescript';
import { afterAll, describe, expect, test } from 'vitest';
import { generateHandler } from '../../../src/ai/handler/generate-handler.ts';
import { HANDLER_PAIRS } from '../../../src/ai/handler/pairs.ts';
import { TypeGenerator } from '../../../src/ai/types/type-generator.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { conformanceEvents, describeHandlers } from './handler-conformance.ts';
import { NodeServers } from './handler-servers.ts';

failOnLeaks();

const types = new TypeGenerator();
/** Two processes: with the secrets in their environment, and without. */
const servers = new Map<string, NodeServers>();
afterAll(() =>
  Promise.all([types.close(), ...[...servers.values()].map((server) => server.close())]),
);

describe.each(HANDLER_PAIRS.typescript)('typescript for %s', (framework) => {
  describeHandlers('typescript', framework, (handlers, env) => {
    const key = JSON.stringify(env);
    const server = servers.get(key) ?? new NodeServers(env);
    servers.set(key, server);
    return server.start(framework, handlers);
  });
});

/** A module as it runs: without types and comments. */
function untyped(code: string): string {
  return ts.transpileModule(code, {
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      removeComments: true,
    },
  }).outputText;
}

test('a handler in JavaScript is the one in TypeScript without types, and so is its test', async () => {
  const frameworks = HANDLER_PAIRS.javascript;
  // One framework for each event: neither changes the other's code.
  for (const [i, { name, event, learned }] of conformanceEvents().entries()) {
    const framework = frameworks[i % frameworks.length] as string;
    const of = (language: string) =>
      generateHandler(event, { language, framework }, { types, learned });
    const [js, typed] = [await of('javascript'), await of('typescript')];
    expect(untyped(js.code), name).toBe(untyped(typed.code));
    expect(untyped(js.test).replace(js.file, typed.file), name).toBe(untyped(typed.test));
  }
});
