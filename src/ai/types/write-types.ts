import { InputData, quicktypeMultiFileSync } from 'quicktype-core';
import type { TypeShape } from './shape.ts';
import { ShapeInput } from './shape-input.ts';
import { TypeScriptTarget } from './typescript-target.ts';

/**
 * Writes the TypeScript declarations of a shape's types. Not reentrant, because quicktype isn't
 * reentrant.
 */
export function writeTypes(shape: TypeShape, name: string): { name: string; code: string } {
  let declared = name;
  const inputData = new InputData();
  inputData.addInput(new ShapeInput(name, shape));
  const files = quicktypeMultiFileSync({
    inputData,
    lang: new TypeScriptTarget((given) => {
      declared = given;
    }),
    indentation: '  ',
    // The shape decides everything, so quicktype must neither inspect texts nor infer maps.
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
  // quicktype doesn't export the payload's type if it is a primitive.
  return { name: declared, code: code.startsWith('type ') ? `export ${code}` : code };
}
