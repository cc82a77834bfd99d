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
 * Python types as `TypedDict`s: the payload stays the dictionary that it is.
 * quicktype's own classes would have to be filled, and their converters assert
 * every field, so that one null more than in the sample would fail a delivery.
 *
 * Written as calls, because then any text can be a key. The imports are left to
 * the code around.
 */
export class PythonTarget extends PythonTargetLanguage {
  readonly #frame: TypesFrame;

  constructor(frame: TypesFrame) {
    super();
    this.#frame = frame;
  }

  /** There is `NotRequired`: absent isn't None. */
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
    // A name that is there twice is quicktype's undoing.
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

  /** Texts that name a kind of event are literals where they stand. */
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
      // Without the mark, a type checker takes `X = None` for a variable.
      (type, name) => this.emitLine(name, ': TypeAlias = ', this.pythonType(type)),
      (type) => this.namedTypeToNameForTopLevel(type) === undefined,
    );
  }

  /** Without this, each later use would be a quoted forward reference. The set is quicktype's, private. */
  private declaredType(type: ClassType | EnumType): void {
    (this as unknown as { declaredTypes: Set<unknown> }).declaredTypes.add(type);
  }
}

/** JSON's escapes are Python's too; what isn't ASCII could turn the line around in an editor. */
function pythonString(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
