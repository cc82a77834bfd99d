import {
  type ClassType,
  EnumType,
  getOptionValues,
  type LanguageName,
  PythonRenderer,
  PythonTargetLanguage,
  pythonOptions,
  type RenderContext,
  type RendererOptions,
  type Sourcelike,
  type Type,
} from 'quicktype-core';
import type { TypesFrame } from './types-frame.ts';

/**
 * Writes Python types as `TypedDict`s, so the payload stays a dictionary.
 * quicktype's own classes need converters, and these assert every field: one more
 * null than in the sample would fail a delivery.
 *
 * Each type is a call of `TypedDict`, because a call allows any text as a key. The
 * code around the types has the imports.
 */
export class PythonTarget extends PythonTargetLanguage {
  readonly #frame: TypesFrame;

  constructor(frame: TypesFrame) {
    super();
    this.#frame = frame;
  }

  /** Optional members are `NotRequired`: absent isn't None. */
  override get supportsOptionalClassProperties(): boolean {
    return true;
  }

  protected override makeRenderer<Lang extends LanguageName = 'python'>(
    context: RenderContext,
    options: RendererOptions<Lang>,
  ): PythonRenderer {
    return new Renderer(this, context, getOptionValues(pythonOptions, options), this.#frame);
  }
}

class Renderer extends PythonRenderer {
  readonly #frame: TypesFrame;

  constructor(
    target: PythonTarget,
    context: RenderContext,
    options: ConstructorParameters<typeof PythonRenderer>[2],
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

  protected override emitClass(type: ClassType): void {
    const name = this.nameForNamedType(type);
    this.emitLine(name, ' = TypedDict("', name, '", {');
    this.indent(() => {
      this.forEachClassProperty(type, 'none', (_name, key, property) => {
        const value = this.pythonType(property.type);
        const shown = property.isOptional ? ['NotRequired[', value, ']'] : value;
        this.emitLine(pythonString(key), ': ', shown, ',');
      });
    });
    this.emitLine('})');
    this.declaredType(type);
  }

  /** Writes texts that name a kind of event as literals in place. */
  protected override pythonType(
    type: Type,
    isRoot?: boolean,
    suppressQuotes?: boolean,
  ): Sourcelike {
    return type instanceof EnumType
      ? `Literal[${[...type.cases].map(pythonString).join(', ')}]`
      : super.pythonType(type, isRoot, suppressQuotes);
  }

  protected override emitSourceStructure(): void {
    this.forEachTopLevel('none', (_, name) => this.#frame.onName(this.sourcelikeToString(name)));
    this.forEachNamedType(
      'none',
      () => {},
      (type) => this.declaredType(type),
      () => {},
    );
    this.forEachNamedType(
      ['interposing', 1],
      (type) => this.emitClass(type as ClassType),
      () => {},
      () => {},
    );
    this.forEachTopLevel(
      'leading',
      // Without `TypeAlias`, a type checker takes `X = None` for a variable.
      (type, name) => this.emitLine(name, ': TypeAlias = ', this.pythonType(type)),
      (type) => this.namedTypeToNameForTopLevel(type) === undefined,
    );
  }

  /**
   * Marks a type as declared: otherwise each later use is a quoted forward
   * reference. The set is a private field of quicktype.
   */
  private declaredType(type: ClassType | EnumType): void {
    (this as unknown as { declaredTypes: Set<unknown> }).declaredTypes.add(type);
  }
}

/**
 * A Python string. Python reads JSON's escapes. Other characters than ASCII are
 * escaped, because some reverse the line in an editor.
 */
function pythonString(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
