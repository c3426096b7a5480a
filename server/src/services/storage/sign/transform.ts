import Type, { type Static } from 'typebox'

/** The options of an image in the body of a request that signs its URL (storage §8). */
export const TransformSchema = Type.Object({
  width: Type.Optional(Type.Integer({ minimum: 0 })),
  height: Type.Optional(Type.Integer({ minimum: 0 })),
  resize: Type.Optional(Type.Union([Type.Literal('cover'), Type.Literal('contain'), Type.Literal('fill')])),
  format: Type.Optional(Type.Union([Type.Literal('origin'), Type.Literal('avif'), Type.Literal('webp')])),
  quality: Type.Optional(Type.Integer({ minimum: 20, maximum: 100 })),
})

/** The options of an image. */
export type Transform = Static<typeof TransformSchema>

/** The options as a token has them, `width:100,height:50`; empty for none. */
export const transformationsOf = (transform: Transform): string =>
  Object.entries(transform)
    .map(([name, value]) => `${name}:${value}`)
    .join(',')
