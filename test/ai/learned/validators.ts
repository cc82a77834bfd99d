import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import ts from 'typescript';
import * as zod from 'zod';
import { learnedSchema } from '../../../src/ai/learned/learned-schema.ts';
import type { Learned } from './shapes.ts';

/** The name of the payload's type, as each language declares it. */
export function nameOf(it: Learned): string {
  return (JSON.parse(learnedSchema(it, 'jsonschema')) as { title: string }).title;
}

interface ZodLike {
  safeParse(value: unknown): { success: boolean; error?: unknown };
}

/** Runs a generated module; its schema of the payload. */
export function zodSchema(it: Learned): ZodLike {
  const module = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 };
  const code = ts.transpileModule(learnedSchema(it, 'zod'), { compilerOptions: module }).outputText;
  const exports: Record<string, ZodLike> = {};
  new Function('exports', 'require', code)(exports, () => zod);
  return exports[nameOf(it)] as ZodLike;
}

/** A generated JSON Schema, compiled. */
export function ajvSchema(it: Learned, draft: 7 | 2020) {
  const options = { allowUnionTypes: true, allErrors: true };
  const ajv = draft === 7 ? new Ajv(options) : new Ajv2020(options);
  (addFormats as unknown as (ajv: unknown) => void)(ajv);
  return ajv.compile(JSON.parse(learnedSchema(it, 'jsonschema')) as object);
}
