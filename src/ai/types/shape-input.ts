import {
  type ClassProperty,
  emptyTypeAttributes,
  type Input,
  makeNamesTypeAttributes,
  type RunContext,
  StringTypes,
  type TypeBuilder,
  type TypeRef,
} from 'quicktype-core';
import type { TypeShape } from './shape.ts';

/** Gives quicktype a shape instead of samples, so that quicktype infers nothing. */
export class ShapeInput implements Input<never> {
  readonly kind = 'shape';
  readonly needIR = true;
  readonly needSchemaProcessing = false;
  readonly #name: string;
  readonly #shape: TypeShape;

  constructor(name: string, shape: TypeShape) {
    this.#name = name;
    this.#shape = shape;
  }

  async addTypes(context: RunContext, builder: TypeBuilder): Promise<void> {
    this.addTypesSync(context, builder);
  }

  addTypesSync(_context: RunContext, builder: TypeBuilder): void {
    const type = typeOf(builder, this.#shape);
    builder.addTopLevel(this.#name, type);
    builder.addAttributes(type, makeNamesTypeAttributes(this.#name, false));
  }

  async addSource(): Promise<never> {
    return this.addSourceSync();
  }

  addSourceSync(): never {
    throw new Error('a shape input has no sources');
  }

  singleStringSchemaSource(): undefined {
    return undefined;
  }
}

function typeOf(builder: TypeBuilder, shape: TypeShape): TypeRef {
  const none = emptyTypeAttributes;
  // "Any value" includes every other type.
  if (shape.isAny) return builder.getPrimitiveType('any');
  const types = new Set<TypeRef>();
  if (shape.isNull) types.add(builder.getPrimitiveType('null'));
  if (shape.isBoolean) types.add(builder.getPrimitiveType('bool'));
  if (shape.number !== null) types.add(builder.getPrimitiveType(shape.number));
  if (shape.isString) {
    types.add(
      shape.kinds
        ? builder.getEnumType(none, shape.kinds)
        : builder.getStringType(none, StringTypes.unrestricted),
    );
  }
  if (shape.items) types.add(builder.getArrayType(none, typeOf(builder, shape.items)));
  if (shape.objects > 0) {
    types.add(
      shape.values
        ? builder.getMapType(none, typeOf(builder, shape.values))
        : builder.getClassType(none, propertiesOf(builder, shape)),
    );
  }
  // Only empty arrays were seen. quicktype merges `none` with every other type, and writes it as
  // any if it stands alone.
  if (types.size === 0) return builder.getPrimitiveType('none');
  return types.size === 1 ? ([...types][0] as TypeRef) : builder.getUnionType(none, types);
}

function propertiesOf(builder: TypeBuilder, shape: TypeShape): Map<string, ClassProperty> {
  const properties = new Map<string, ClassProperty>();
  for (const [name, field] of shape.fields) {
    const type = typeOf(builder, field.shape);
    properties.set(name, builder.makeClassProperty(type, field.seen < shape.objects));
  }
  return properties;
}
