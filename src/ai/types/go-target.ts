import {
  GoRenderer,
  GoTargetLanguage,
  getOptionValues,
  goOptions,
  type LanguageName,
  type RenderContext,
  type RendererOptions,
} from 'quicktype-core';
import type { Shape } from './shape.ts';
import type { TypesFrame } from './types-frame.ts';

/** quicktype's Go structs, with the names of the code around them reserved. */
export class GoTarget extends GoTargetLanguage {
  readonly #frame: TypesFrame;

  constructor(frame: TypesFrame) {
    super();
    this.#frame = frame;
  }

  protected override makeRenderer<Lang extends LanguageName = 'go'>(
    context: RenderContext,
    options: RendererOptions<Lang>,
  ): GoRenderer {
    return new Renderer(this, context, getOptionValues(goOptions, options), this.#frame);
  }
}

class Renderer extends GoRenderer {
  readonly #frame: TypesFrame;

  constructor(
    target: GoTarget,
    context: RenderContext,
    options: ConstructorParameters<typeof GoRenderer>[2],
    frame: TypesFrame,
  ) {
    super(target, context, options);
    this.#frame = frame;
  }

  protected override forbiddenNamesForGlobalNamespace(): readonly string[] {
    // A name that occurs twice makes quicktype fail.
    return [
      ...new Set([...super.forbiddenNamesForGlobalNamespace(), ...this.#frame.reservedNames]),
    ];
  }

  protected override emitSourceStructure(): void {
    this.forEachTopLevel('none', (_, name) => this.#frame.onName(this.sourcelikeToString(name)));
    super.emitSourceStructure();
  }
}

/**
 * Names that a struct tag can hold. `encoding/json` ignores other tags. A backtick
 * would end the tag and begin code, a comma would end the name, and `-` alone
 * means "skip this".
 */
const TAG_NAME = /^(?!-$)[A-Za-z0-9_!#$%&()*+\-./:;<=>?@[\]^{|}~ ]+$/;

/**
 * Reduces a shape to Go's types:
 *
 * - values of several kinds become any value, because `encoding/json` has no unions;
 * - texts that name a kind of event become any text, because Go has no literal types;
 * - members that a struct tag can't name are left out.
 *
 * Returns the number of members left out.
 */
export function fitToGo(shape: Shape): number {
  shape.kinds = null;
  const kinds = [
    shape.isBoolean,
    shape.isString,
    shape.number !== null,
    shape.items !== null,
    shape.objects > 0,
  ].filter(Boolean).length;
  if (kinds > 1) {
    shape.isAny = true;
    return 0;
  }
  let leftOut = 0;
  for (const [name, field] of shape.fields) {
    if (TAG_NAME.test(name)) leftOut += fitToGo(field.shape);
    else {
      shape.fields.delete(name);
      leftOut++;
    }
  }
  if (shape.values) leftOut += fitToGo(shape.values);
  if (shape.items) leftOut += fitToGo(shape.items);
  return leftOut;
}
