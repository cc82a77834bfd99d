import { generateHandler } from '../../../src/ai/handler/generate-handler.ts';
import type { TypeGenerator } from '../../../src/ai/types/type-generator.ts';
import type { capturedEvent } from '../ai-events.ts';
import { typeErrors } from '../type-check.ts';

export const STRICT = {
  ...{ noUnusedLocals: true, noUnusedParameters: true, types: ['node'] },
  // The test imports the handler as node --test does.
  allowImportingTsExtensions: true,
};

/** The first compiler errors of the TypeScript handlers for these events. */
export async function compileErrors(
  events: readonly { event: ReturnType<typeof capturedEvent> }[],
  framework: string,
  types: TypeGenerator,
): Promise<string[]> {
  const files: Record<string, string> = {};
  for (const [i, { event }] of events.entries()) {
    const target = { language: 'typescript', framework };
    const { file, code, testFile, test } = await generateHandler(event, target, { types });
    files[`handler-${i}/${file}`] = code;
    files[`handler-${i}/${testFile}`] = test;
  }
  return typeErrors(files, STRICT).slice(0, 5);
}
