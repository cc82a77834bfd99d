import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { learnedSchema } from '../../../src/ai/learned/learned-schema.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { ability, runs } from '../../fixtures/machine.ts';
import { typeErrors } from '../type-check.ts';
import { learned, learnedTypes } from './shapes.ts';
import { ajvSchema, nameOf, zodSchema } from './validators.ts';

failOnLeaks();

const dir = mkdtempSync(join(tmpdir(), 'hookrelay-learned-'));
afterAll(() => rmSync(dir, { recursive: true }));

const types = learnedTypes();

describe('a schema accepts everything that its shape has seen', () => {
  test('in TypeScript, by tsc --strict', () => {
    const files: Record<string, string> = {};
    for (const [i, it] of types.entries()) {
      const values = it.texts.map((text, n) => `export const p${n}: ${nameOf(it)} = ${text};\n`);
      // JSON's `__proto__` is a member, an object literal's is not.
      const isOdd = it.texts.some((text) => text.includes('"__proto__"'));
      files[`learned-${i}.ts`] = learnedSchema(it, 'typescript') + (isOdd ? '' : values.join(''));
    }
    // Literals may not have members that the type lacks, such as those below the depth.
    expect(typeErrors(files)).toEqual([]);
  });

  test('in zod, whose modules compile too', () => {
    const files: Record<string, string> = {};
    for (const [i, it] of types.entries()) files[`zod-${i}.ts`] = learnedSchema(it, 'zod');
    expect(typeErrors(files)).toEqual([]);
    for (const it of types) {
      const schema = zodSchema(it);
      for (const text of it.texts) {
        const { success, error } = schema.safeParse(JSON.parse(text));
        expect(success, `${it.name}: ${error}`).toBe(true);
      }
    }
  });

  test.each([7, 2020] as const)('in JSON Schema, by ajv for draft %s', (draft) => {
    for (const it of types) {
      const validate = ajvSchema(it, draft);
      for (const text of it.texts) {
        expect(validate(JSON.parse(text)), `${it.name}: ${JSON.stringify(validate.errors)}`).toBe(
          true,
        );
      }
    }
  });

  const hasPydantic = ability(
    'pydantic 2 (pip install pydantic)',
    runs('python3', '-c', 'import pydantic; assert pydantic.VERSION[0] == "2"'),
    true,
  );
  test.skipIf(!hasPydantic)('in pydantic', () => {
    const cases = types.map((it) => ({
      name: it.name,
      model: nameOf(it),
      code: learnedSchema(it, 'pydantic'),
      texts: it.texts,
    }));
    const file = join(dir, 'cases.json');
    writeFileSync(file, JSON.stringify(cases));
    const program = `
import json, pathlib, sys, types, warnings
warnings.simplefilter("error")
failures = []
for case in json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")):
    try:
        module = types.ModuleType("learned"); sys.modules["learned"] = module
        exec(compile(case["code"], case["name"], "exec"), module.__dict__)
        model = module.__dict__[case["model"]]
        for text in case["texts"]:
            model.model_validate(json.loads(text)); model.model_validate_json(text)
    except Exception as error:
        failures.append(case["name"] + ": " + repr(error)[:400])
print(json.dumps(failures))`;
    const output = execFileSync('python3', ['-c', program, file], {
      encoding: 'utf8',
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    });
    expect(JSON.parse(output)).toEqual([]);
  });

  const hasGo = ability('go (Go)', runs('go', 'version'), false);
  test.skipIf(!hasGo)('in Go, formatted by gofmt', () => {
    const cases: string[] = [];
    for (const [i, it] of types.entries()) {
      mkdirSync(join(dir, `p${i}`));
      writeFileSync(join(dir, `p${i}`, 'types.go'), learnedSchema(it, 'go'));
      writeFileSync(join(dir, `p${i}.json`), JSON.stringify(it.texts));
      cases.push(
        `\ttry(${i}, func(b []byte) error { var v p${i}.${nameOf(it)}; return json.Unmarshal(b, &v) })`,
      );
    }
    const imports = types.map((_, i) => `\tp${i} "learned/p${i}"`).join('\n');
    writeFileSync(join(dir, 'go.mod'), 'module learned\n\ngo 1.21\n');
    writeFileSync(
      join(dir, 'main.go'),
      `package main

import (
	"encoding/json"
	"fmt"
	"os"
${imports}
)

func try(i int, read func([]byte) error) {
	file, err := os.ReadFile(fmt.Sprintf("%s/p%d.json", os.Args[1], i))
	var texts []string
	if err == nil {
		err = json.Unmarshal(file, &texts)
	}
	for _, text := range texts {
		if err == nil {
			err = read([]byte(text))
		}
	}
	if err != nil {
		fmt.Println(i, err)
	}
}

func main() {
${cases.join('\n')}
}
`,
    );
    const options = { cwd: dir, encoding: 'utf8' as const };
    const packages = types.map((_, i) => `p${i}`);
    expect(execFileSync('gofmt', ['-e', '-l', ...packages], options)).toBe('');
    const env = { ...process.env, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' };
    expect(execFileSync('go', ['run', '.', dir], { ...options, env })).toBe('');
  });
});

test('half of the examples of an event make a type that accepts the other half', () => {
  const splits = 2;
  let accepted = 0;
  let tried = 0;
  const github = types.filter(({ provider, texts }) => provider === 'github' && texts.length > 1);
  for (let split = 0; split < splits; split++) {
    for (const { type, texts } of github) {
      const mixed = shuffled(texts, split);
      const half = Math.ceil(mixed.length / 2);
      const validate = ajvSchema(learned(type, mixed.slice(0, half)), 2020);
      for (const text of mixed.slice(half)) {
        tried++;
        if (validate(JSON.parse(text))) accepted++;
      }
    }
  }
  expect(tried).toBe(148 * splits);
  expect(accepted / tried, `${accepted} of ${tried}`).toBeGreaterThanOrEqual(0.95);
  process.stdout.write(`accepted: ${accepted} of ${tried}\n`);
});

/** The same order for the same seed: a linear congruential generator (Numerical Recipes). */
function shuffled<T>(list: readonly T[], seed: number): T[] {
  let state = (seed + 1) * 7919;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
  for (let i = 0; i < 20; i++) next();
  return list
    .map((value) => ({ value, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}
