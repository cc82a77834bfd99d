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

/** Go structs as quicktype writes them. */
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
    // A name that is there twice is quicktype's undoing.
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
 * What a struct tag can name: `encoding/json` ignores other tags, and a backtick
 * would end the tag and begin code. A comma would end the name, `-` alone means
 * "skip this".
 */
const TAG_NAME = /^(?!-$)[A-Za-z0-9_!#$%&()*+\-./:;<=>?@[\]^{|}~ ]+$/;

/**
 * Makes a shape one that Go's types can hold: values of several kinds become
 * any value (`encoding/json` knows no unions), texts that name a kind of event are
 * any text (Go has no literal types), and members that a struct tag can't
 * name are left out, which `encoding/json` ignores. Returns how many were.
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
