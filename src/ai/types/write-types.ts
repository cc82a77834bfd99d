import { InputData, quicktypeMultiFileSync, type TargetLanguage } from 'quicktype-core';
import { GoTarget } from './go-target.ts';
import type { TypesLanguage } from './payload-types.ts';
import { PythonTarget } from './python-target.ts';
import type { Shape } from './shape.ts';
import { ShapeInput } from './shape-input.ts';
import type { TypesFrame } from './types-frame.ts';
import { TypeScriptTarget } from './typescript-target.ts';

const TARGETS: Record<
  TypesLanguage,
  { target: new (frame: TypesFrame) => TargetLanguage; indentation: string }
> = {
  typescript: { target: TypeScriptTarget, indentation: '  ' },
  python: { target: PythonTarget, indentation: '    ' },
  go: { target: GoTarget, indentation: '\t' },
};

/** Writes the declarations of a shape's types. Not reentrant, because quicktype isn't. */
export function writeTypes(
  shape: Shape,
  name: string,
  language: TypesLanguage,
  reservedNames: readonly string[],
): { name: string; code: string } {
  let declared = name;
  const frame: TypesFrame = {
    reservedNames,
    onName: (given) => {
      declared = given;
    },
  };
  const { target: Target, indentation } = TARGETS[language];
  const inputData = new InputData();
  inputData.addInput(new ShapeInput(name, shape));
  const files = quicktypeMultiFileSync({
    inputData,
    lang: new Target(frame),
    indentation,
    // The shape decides everything: quicktype must not inspect texts or infer maps.
    inferMaps: false,
    inferEnums: false,
    ignoreJsonRefs: true,
    leadingComments: [],
    rendererOptions: { 'just-types': 'true', 'prefer-unknown': 'true' } as never,
  });
  const code = [...files.values()]
    .flatMap(({ lines }) => lines)
    .join('\n')
    .trim();
  // quicktype doesn't export the type of a payload that is a primitive.
  const isPrivate = language === 'typescript' && code.startsWith('type ');
  return { name: declared, code: isPrivate ? `export ${code}` : code };
}
