import {
  getOptionValues,
  type LanguageName,
  type RenderContext,
  type RendererOptions,
  TypeScriptRenderer,
  TypeScriptTargetLanguage,
  tsFlowOptions,
} from 'quicktype-core';

/** Legal as names in a module, but no reader expects them to be anything but the language's own. */
const GLOBAL_TYPES =
  'Boolean Buffer Error Event Function Map Number Object Promise Readonly Record RegExp Request Response Set String Symbol URL'.split(
    ' ',
  );

/** TypeScript as quicktype writes it, with every top level exported under its name. */
export class TypeScriptTarget extends TypeScriptTargetLanguage {
  readonly #reservedNames: readonly string[];

  /** @param reservedNames what the code around the types calls its own */
  constructor(reservedNames: readonly string[]) {
    super();
    this.#reservedNames = reservedNames;
  }

  protected override makeRenderer<Lang extends LanguageName = 'typescript'>(
    context: RenderContext,
    options: RendererOptions<Lang>,
  ): TypeScriptRenderer {
    return new Renderer(
      this,
      context,
      getOptionValues(tsFlowOptions, options),
      this.#reservedNames,
    );
  }
}

class Renderer extends TypeScriptRenderer {
  readonly #reservedNames: readonly string[];

  constructor(
    target: TypeScriptTarget,
    context: RenderContext,
    options: ConstructorParameters<typeof TypeScriptRenderer>[2],
    reservedNames: readonly string[],
  ) {
    super(target, context, options);
    this.#reservedNames = reservedNames;
  }

  protected override forbiddenNamesForGlobalNamespace(): string[] {
    return [...super.forbiddenNamesForGlobalNamespace(), ...GLOBAL_TYPES, ...this.#reservedNames];
  }

  /** quicktype declares objects, and unexported primitives: an array would have no type at all. */
  protected override emitTypes(): void {
    this.forEachTopLevel(
      'leading',
      (type, name) => this.emitLine('export type ', name, ' = ', this.sourceFor(type).source, ';'),
      (type) => !type.isPrimitive() && this.namedTypeToNameForTopLevel(type) === undefined,
    );
    super.emitTypes();
  }
}
