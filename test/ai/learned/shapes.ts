import { mergeInto } from '../../../src/core/shapes/merge-into.ts';
import type { JsonPayload } from '../../../src/core/shapes/payload.ts';
import { readPayload } from '../../../src/core/shapes/read-payload.ts';
import { newShape, type PayloadShape } from '../../../src/core/shapes/shape.ts';
import { githubExamples } from '../github-examples.ts';

/** A type of event, and the JSON texts of all payloads that its shape has seen. */
export interface Learned {
  name: string;
  provider: string | null;
  type: string;
  shape: PayloadShape;
  texts: string[];
}

export function payload(text: string): JsonPayload {
  const read = readPayload(Buffer.from(text));
  if (!read) throw new Error(`no JSON: ${text.slice(0, 80)}`);
  return read;
}

export function shapeOf(texts: readonly string[]): PayloadShape {
  const shape = newShape();
  for (const [i, text] of texts.entries()) mergeInto(shape, payload(text), i + 1);
  return shape;
}

export function learned(name: string, texts: string[], type = name): Learned {
  return { name, provider: null, type, shape: shapeOf(texts), texts };
}

const HOSTILE_NAMES = [
  '__proto__ constructor toString hasOwnProperty class def import type interface func package',
  'id ID Id iD a-b a_b aB model_x model_config json copy schema int str date datetime Any User',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a member's name that looks like one
  'z "quote" `tick` ${x} */ // # \\ , - _ __ 1 1a é 名前 \u2028 \u202e a.b a[0] true null None',
  "'); it's <b> & %s %d {} [] () ; : = ? @ ! ~ ^ |",
].flatMap((line) => line.split(' '));

/** Names that would end a string, a comment or a tag, or that a language has for itself. */
function hostile(): Learned[] {
  const names = [...HOSTILE_NAMES, '', ' ', 'new\nline', 'tab\t', '\u0000', '"""', '-,', 'ſ'];
  const object = (value: unknown) =>
    JSON.stringify(Object.fromEntries(names.map((name) => [name, value])))
      // An object literal can't have this member.
      .replace('{', `{"__proto__":${JSON.stringify(value)},`);
  return [
    learned('hostile scalars', Array<string>(7).fill(object(1))),
    learned('hostile objects', [object({ a: 1 }), object({ b: [{ c: null }] }), '{}']),
    learned('hostile texts', Array<string>(7).fill(object('*/ `"); \u2028'))),
  ];
}

/** Everything that the schemas are tried with: all of GitHub's examples, and odd payloads. */
export function learnedTypes(): Learned[] {
  const examples = Map.groupBy(githubExamples(), ({ name }) => name);
  const github = [...examples].map(([name, list]) => ({
    ...learned(
      name,
      list.map((example) => JSON.stringify(example.payload)),
    ),
    provider: 'github',
  }));
  const repeated = (...texts: string[]) => [...texts, ...texts, ...texts, ...texts];
  return [
    ...github,
    ...hostile(),
    learned('lists', repeated('[{"id":1}]', '[]', '[{"id":2,"tags":[]},null]')),
    learned('an object or a list', repeated('{"a":1,"AnObjectOrAListEvent":{"b":2}}', '[{"a":1}]')),
    learned('scalars', ['1', '"a"', 'null', 'true', '1.5', '[]', '{}']),
    learned('text', repeated('"a"')),
    learned('nothing', ['null']),
    learned('empty', ['{}', '{"a":{},"b":[],"c":null}']),
    learned(
      'numbers',
      repeated('{"a":1,"b":1.0,"c":9007199254740993,"d":1e3}', '{"a":2,"b":1,"c":1,"d":1e300}'),
    ),
    learned('wide', repeated('{"a":9223372036854775807,"b":-9223372036854775808}')),
    learned(
      'unions',
      repeated('{"a":1,"b":"x","c":[1]}', '{"a":"1","b":null,"c":[{"d":1},"e",[null]]}'),
    ),
    learned(
      'maps',
      repeated('{"by":{"a@example.com":{"n":1},"b@example.com":{"n":null}}}', '{"by":{}}'),
    ),
    learned(
      'formats',
      repeated(
        '{"at":"2026-11-20T10:00:00Z","on":"2024-02-29","id":"0f8fad5b-d9cb-469f-a165-70867728950e","url":"https://example.com/a?b=c#d","mail":"a.b+c@example.co.uk"}',
        '{"at":"2026-11-20T10:00:00.123456789-11:30","on":"0001-01-01","id":"FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF","url":"http://localhost:8080","mail":"x@y.zz"}',
      ),
    ),
    learned(
      'enumerations',
      repeated('{"action":"opened","state":"open"}', '{"action":"opened","state":"in progress"}'),
      'issue.opened',
    ),
    learned('deep', [`${'{"a":['.repeat(40)}1${']}'.repeat(40)}`]),
  ];
}
