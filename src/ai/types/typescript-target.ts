import {
  EnumType,
  getOptionValues,
  type LanguageName,
  type MultiWord,
  type RenderContext,
  type RendererOptions,
  singleWord,
  type Type,
  TypeScriptRenderer,
  TypeScriptTargetLanguage,
  tsFlowOptions,
} from 'quicktype-core';
import { anyShape, type TypeShape } from './shape.ts';

/**
 * Names of global types. A module could use them for its own types, but would mislead its readers.
 */
const GLOBAL_TYPES =
  'Boolean Buffer Error Event Function Map Number Object Promise Readonly Record RegExp Request Response Set String Symbol URL'.split(
    ' ',
  );

/** quicktype's TypeScript. It exports every top-level type under its name. */
export class TypeScriptTarget extends TypeScriptTargetLanguage {
  readonly #onName: (name: string) => void;

  /** @param onName receives the final name of the payload's type: quicktype writes `Url` as `URL` */
  constructor(onName: (name: string) => void) {
    super();
    this.#onName = onName;
  }

  protected override makeRenderer<Lang extends LanguageName = 'typescript'>(
    context: RenderContext,
    options: RendererOptions<Lang>,
  ): TypeScriptRenderer {
    return new Renderer(this, context, getOptionValues(tsFlowOptions, options), this.#onName);
  }
}

/**
 * Changes a shape so that it fits TypeScript. A member named like one of `Object.prototype` gets
 * the type of any value: every object inherits `constructor`, so `{}` isn't assignable to `{
 * constructor?: boolean }`.
 */
export function fitToTypeScript(shape: TypeShape): void {
  for (const [name, field] of shape.fields) {
    if (name !== '__proto__' && name in Object.prototype) field.shape = anyShape();
    else fitToTypeScript(field.shape);
  }
  if (shape.values) fitToTypeScript(shape.values);
  if (shape.items) fitToTypeScript(shape.items);
}

class Renderer extends TypeScriptRenderer {
  readonly #onName: (name: string) => void;

  constructor(
    target: TypeScriptTarget,
    context: RenderContext,
    options: ConstructorParameters<typeof TypeScriptRenderer>[2],
    onName: (name: string) => void,
  ) {
    super(target, context, options);
    this.#onName = onName;
  }

  protected override forbiddenNamesForGlobalNamespace(): string[] {
    // quicktype fails if a name occurs twice.
    return [...new Set([...super.forbiddenNamesForGlobalNamespace(), ...GLOBAL_TYPES])];
  }

  /**
   * Writes the texts that name a kind of event as literals, because an enum would not accept the
   * payload.
   */
  protected override sourceFor(type: Type): MultiWord {
    if (!(type instanceof EnumType)) return super.sourceFor(type);
    return singleWord([...type.cases].map((text) => JSON.stringify(text)).join(' | '));
  }

  protected override emitEnum(): void {}

  protected override emitSourceStructure(filename: string): void {
    this.forEachTopLevel('none', (_, name) => this.#onName(this.sourcelikeToString(name)));
    super.emitSourceStructure(filename);
  }

  /** Keeps the name of an array's type. quicktype would give this name to the type of the items. */
  protected override namedTypeToNameForTopLevel(type: Type): Type | undefined {
    return type.kind === 'class' ? type : undefined;
  }

  /**
   * Declares arrays too. quicktype declares only objects, and primitives without exporting them.
   */
  protected override emitTypes(): void {
    this.forEachTopLevel(
      'leading',
      (type, name) => this.emitLine('export type ', name, ' = ', this.sourceFor(type).source, ';'),
      (type) => !type.isPrimitive() && this.namedTypeToNameForTopLevel(type) === undefined,
    );
    super.emitTypes();
  }
}
