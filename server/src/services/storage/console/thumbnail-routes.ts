import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import { storageError } from '../errors.ts'
import { translateFileError } from '../http/error-response.ts'
import { type ImageOptions, parseImageOptions } from '../images/options.ts'
import { isNotModified } from '../objects/conditions.ts'
import type { StoredObject } from '../objects/object.ts'
import { consoleRequest } from './console-request.ts'
import type { ConsoleStorage } from './deps.ts'
import { previewHeaders, previewOf } from './preview.ts'

/** A tile of a grid, cut to a square; and what fits beside an object's facts. */
const sizes = {
  tile: { width: '320', height: '320', resize: 'cover' },
  preview: { width: '1120', height: '640', resize: 'contain' },
} as const
type Size = keyof typeof sizes

/** Where images are not changed, a file up to this size is its own thumbnail. */
const largestOriginalBytes = 512 * 1024

/** A picture for the console, as bytes or as the object's own file. */
interface Thumbnail {
  readonly mimeType: string
  readonly etag: string
  read(): Promise<Buffer | Awaited<ReturnType<ConsoleStorage['reads']['open']>>>
}

/** Small pictures of images, however large the images are. */
export function thumbnailRoutes(storage: ConsoleStorage, actions: OperatorActions): FastifyPluginAsyncTypebox {
  const { reads } = storage
  return async (app) => {
    const schema = {
      operationId: 'storageThumbnail',
      tags: ['storage'],
      summary: 'A small picture of an image',
      params: Type.Object({ bucketId: Type.String() }),
      querystring: Type.Object({
        key: Type.String({ minLength: 1, maxLength: 1024 }),
        size: Type.Union([Type.Literal('tile'), Type.Literal('preview')], { default: 'tile' }),
      }),
    }
    app.get('/storage/buckets/:bucketId/thumbnail', { schema }, async (request, reply) => {
      actions.check(request, 'read data')
      const { key, size } = request.query
      const own = consoleRequest(request, 'storage.object.get_authenticated')
      const object = await reads.findOwn(own, own.caller, { bucketId: request.params.bucketId, key })
      const { mimeType, etag, read } = thumbnailOf(storage, object, size)
      const headers = { ...previewHeaders(mimeType, '', false), etag }
      if (isNotModified(request.headers, { etag, modifiedAt: null })) return reply.code(304).headers(headers).send()
      const body = await read().catch((error: unknown) => {
        throw translateFileError(error)
      })
      return reply.headers(headers).send(body)
    })
  }
}

/** @throws InvalidRequest for what is no image, or too large where images are not changed */
function thumbnailOf({ reads, images }: ConsoleStorage, object: StoredObject, size: Size): Thumbnail {
  const { version, metadata } = object
  const mimeType = metadata.mimetype ?? null
  if (mimeType === null || previewOf(mimeType) !== 'image')
    throw storageError('InvalidRequest', { message: 'The object is no image' })
  const sizeBytes = metadata.size ?? null
  if (images !== null) {
    const planned = images.plan(optionsOf(size), '')
    const read = (memory: Buffer) => reads.read(object, memory)
    const source = { version: reads.fileOf(object), sizeBytes, path: reads.pathOf(object), read }
    return {
      mimeType: 'image/webp',
      etag: `"${version}-${size}"`,
      read: async () => (await images.transform(source, planned)).bytes,
    }
  }
  if (sizeBytes === null || sizeBytes > largestOriginalBytes)
    throw storageError('InvalidRequest', { message: 'The image is too large to be shown without changing it' })
  return { mimeType, etag: `"${version}"`, read: () => reads.open(object, null) }
}

/** WebP: every browser that runs the console shows it. */
const optionsOf = (size: Size): ImageOptions => {
  const options: Readonly<Record<string, string>> = { ...sizes[size], format: 'webp' }
  return parseImageOptions((name) => options[name])
}
