import Type, { type Static } from 'typebox'
import { gravities, imageFormats, parseImageOptions, renderTransformations, resizeModes } from '../images/options.ts'

/** The options of an image in the body of a request that signs its URL (storage §8). */
export const TransformSchema = Type.Object({
  width: Type.Optional(Type.Integer({ minimum: 0 })),
  height: Type.Optional(Type.Integer({ minimum: 0 })),
  resize: Type.Optional(Type.Enum([...resizeModes])),
  format: Type.Optional(Type.Enum([...imageFormats])),
  quality: Type.Optional(Type.Integer({ minimum: 20, maximum: 100 })),
  gravity: Type.Optional(Type.Enum([...gravities])),
  x_offset: Type.Optional(Type.Number()),
  y_offset: Type.Optional(Type.Number()),
})

/** The options of an image. */
export type Transform = Static<typeof TransformSchema>

/** The options as a token has them, `height:50,width:100,resize:cover`; empty for none. @throws InvalidRequest */
export function transformationsOf(transform: Transform): string {
  const given = new Map(Object.entries(transform).map(([name, value]) => [name, String(value)]))
  return renderTransformations(parseImageOptions((name) => given.get(name)))
}
