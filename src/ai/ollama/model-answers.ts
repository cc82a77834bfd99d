import * as v from 'valibot';
import { clean } from '../../core/text/words.ts';
import { type Diagnosis, numbered } from '../diagnose/case.ts';
import { type Foreign, foreignIn, foreignInCode, foreignInPlan, type Ground } from './grounding.ts';
import { unmarked } from './unmarked.ts';

/*
 * The schemas of a model's answers. Limits of lengths stand in `v.check`, which the JSON Schema
 * leaves out. Ollama turns the JSON Schema into a grammar, and it can't build a grammar with limits
 * of thousands of characters.
 */

const MAX_TEXT = 4000;
const MAX_STEPS = 12;
const MAX_SKETCH_LINES = 40;
const MAX_LINE = 200;
const MAX_INDENT = 24;

const words = v.pipe(
  v.string(),
  v.check((text) => clean(text).length >= 10 && text.length <= MAX_TEXT, 'too short or too long'),
);
const steps = v.pipe(
  v.array(v.string()),
  v.check((list) => list.some((step) => clean(step) !== ''), 'no steps'),
);

export const explainAnswer = v.object({ explanation: words });
export const diagnoseAnswer = v.object({ diagnosis: words, steps });
export const handlerAnswer = v.object({ steps, sketch: v.string() });

type Explained = v.InferOutput<typeof explainAnswer>;
type Diagnosed = v.InferOutput<typeof diagnoseAnswer>;
type Planned = v.InferOutput<typeof handlerAnswer>;

/** Appends a model's words to the facts: one paragraph, without control characters. */
export function withExplanation(facts: string, { explanation }: Explained, engine: string): string {
  return `${facts}\n\n${inWordsOf(engine)} ${clean(unmarked(explanation), MAX_TEXT)}`;
}

/** Appends a model's diagnosis to the diagnosis by rules. */
export function withDiagnosis(found: Diagnosis, answer: Diagnosed, engine: string): Diagnosis {
  const words = lines(answer.diagnosis).join('\n');
  return {
    diagnosis: `${found.diagnosis}\n\n${inWordsOf(engine)} ${words}`,
    suggestion: `${found.suggestion}\n\n${clean(engine, 100)} suggests:\n${numbered(stepsOf(answer.steps))}`,
  };
}

export function foreignInExplanation({ explanation }: Explained, ground: Ground): Foreign | null {
  return foreignIn(explanation, ground);
}

export function foreignInDiagnosis(answer: Diagnosed, ground: Ground): Foreign | null {
  return foreignIn([answer.diagnosis, ...answer.steps].join('\n'), ground);
}

export function foreignInHandler({ steps, sketch }: Planned, ground: Ground): Foreign | null {
  return foreignInPlan(steps.join('\n'), ground) ?? foreignInCode(sketch, ground);
}

function inWordsOf(engine: string): string {
  return `In the words of ${clean(engine, 100)}:`;
}

/**
 * Appends a model's plan to a handler, as comments only, because a stranger's text may manipulate
 * the model. The model's code runs only if a person removes the comment marks.
 */
export function withPlan(code: string, language: string, answer: Planned, engine: string): string {
  // The blank matters, because `//go:generate` and `//# sourceMappingURL` are directives.
  const mark = language === 'python' ? '# ' : '// ';
  const sketch = answer.sketch
    .replace(/^\s*```[\w-]*\r?\n|\r?\n```\s*$/g, '')
    .split(/\r\n|[\n\r]/)
    .slice(0, MAX_SKETCH_LINES)
    .map(indented);
  const text = [
    `A plan for the business logic, by ${clean(engine, 100)}. It has read what a stranger sent:`,
    'read it before you use any of it.',
    '',
    ...numbered(stepsOf(answer.steps)).split('\n'),
    ...(sketch.some((line) => line !== '') ? ['', ...sketch] : []),
  ];
  return `${code.trimEnd()}\n\n${text.map((line) => `${mark}${line}`.trimEnd()).join('\n')}\n`;
}

function stepsOf(texts: readonly string[]): string[] {
  return texts
    .map((step) => clean(unmarked(step).replace(/^\s*\d+[.)]\s+/, ''), 600))
    .filter((step) => step !== '')
    .slice(0, MAX_STEPS);
}

function lines(text: string): string[] {
  return unmarked(text)
    .split(/\r\n|[\n\r]/)
    .map((line) => clean(line, MAX_TEXT))
    .filter((line, index, all) => line !== '' || all[index - 1] !== '');
}

function indented(line: string): string {
  const width = /^[ \t]*/.exec(line)?.[0].replaceAll('\t', '  ').length ?? 0;
  const text = clean(line, MAX_LINE);
  return text === '' ? '' : ' '.repeat(Math.min(width, MAX_INDENT)) + text;
}
