import { createHash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { createTokenBuckets } from '../../../ground/limits/token-bucket.ts'
import type { OpenTopic } from '../../../ground/model/topic.ts'
import { storageError } from '../errors.ts'
import type { StorageRequest } from '../http/caller.ts'
import { ObjectParams, objectNameOf } from '../http/params.ts'
import { anonymousRequest, contextOf, ownRequest } from '../http/routes.ts'
import type { ObjectName } from '../names/object-name.ts'
import { isNotModified } from '../objects/conditions.ts'
import type { StoredObject } from '../objects/object.ts'
import type { Access, Reads } from '../objects/read.ts'
import { planRepresentation } from '../objects/representation.ts'
import type { Images } from './images.ts'
import { describeTransformations, type ImageOptions, parseImageOptions, parseTransformations } from './options.ts'

const Query = Type.Record(Type.String(), Type.Unknown())

/** The dependencies of the routes of images. */
export interface ImageRoutesDeps {
  readonly reads: Reads
  readonly signer: { readDownload(token: string, name: ObjectName): SignedImage }
  readonly images: Images
  /** Requests a second of one client for one address; four times as many at once. */
  readonly requestsPerSecond: number
  readonly now: () => Date
  /** Joins the limit of all processes. */
  readonly topic: OpenTopic
}

/** What the token of a signed URL says of its image. */
interface SignedImage {
  readonly transformations: string | null
  readonly format: string | null
  readonly expiresAt: Date
}

/** An image that is asked for. */
interface Source {
  readonly request: StorageRequest
  readonly name: ObjectName
  readonly access: Access
  readonly options: ImageOptions
  /** When the signed URL ends; null for another address. */
  readonly expiresAt: Date | null
}

/** `/render/image` (storage §8). */
export function imageRoutes(deps: ImageRoutesDeps): FastifyPluginAsyncTypebox {
  const { reads, signer, images } = deps
  const send = createSender(reads, images)
  const schema = { params: ObjectParams, querystring: Query }
  return async (app) => {
    app.addHook('onRequest', limitRequests(deps))
    app.get('/image/authenticated/:bucketName/*', { schema }, (request, reply) =>
      send(request, reply, {
        request: ownRequest(request, 'storage.render.image_authenticated'),
        name: objectNameOf(request.params),
        access: 'by caller',
        options: optionsOf(request.query),
        expiresAt: null,
      }),
    )
    app.get('/image/public/:bucketName/*', { schema }, (request, reply) =>
      send(request, reply, {
        request: anonymousRequest(request, 'storage.render.image_public'),
        name: objectNameOf(request.params),
        access: 'public',
        options: optionsOf(request.query),
        expiresAt: null,
      }),
    )
    app.get('/image/sign/:bucketName/*', { schema }, (request, reply) => {
      const name = objectNameOf(request.params)
      const grant = signer.readDownload(textOf(request.query.token) ?? '', name)
      return send(request, reply, {
        request: anonymousRequest(request, 'storage.render.image_sign'),
        name,
        access: 'signed',
        // What the address says besides is not signed.
        options: signedOptions(grant),
        expiresAt: grant.expiresAt,
      })
    })
  }
}

/** Seconds' worth of requests that may come at once: a page may show an image in several sizes. */
const burstSeconds = 4

/** Counts a client's requests for one address without its options: each changes the image once more. */
function limitRequests({ requestsPerSecond, now, topic }: ImageRoutesDeps) {
  const take = createTokenBuckets(now, topic('storage.images'))
  const rate = { burst: requestsPerSecond * burstSeconds, refillPerSecond: requestsPerSecond }
  return async (request: FastifyRequest): Promise<void> => {
    const { remoteAddress, path } = contextOf(request)
    const waitSeconds = take(`${remoteAddress} ${path}`, rate)
    if (waitSeconds !== null) throw storageError('TooManyImages', { headers: { 'retry-after': String(waitSeconds) } })
  }
}

function createSender(reads: Reads, images: Images) {
  const sourceOf = (object: StoredObject) => ({
    version: reads.fileOf(object),
    sizeBytes: object.metadata.size ?? null,
    path: reads.pathOf(object),
    read: (memory: Buffer) => reads.read(object, memory),
  })
  return async (
    { headers, query }: FastifyRequest,
    reply: FastifyReply,
    { request, name, access, options, expiresAt }: Source,
  ): Promise<FastifyReply> => {
    const object = await reads.find(request, name, access)
    const planned = images.plan(options, headers.accept ?? '')
    const eTag = etagOf(object, planned.key)
    const transformations = describeTransformations(options)
    if (transformations !== '') reply.header('x-transformations', transformations)
    if (options.format === null) reply.header('vary', 'accept')
    const modifiedAt = new Date(object.metadata.lastModified ?? Number.NaN)
    // Before the image is changed, which a client that has it does not need.
    if (isNotModified(headers, { etag: eTag, modifiedAt: Number.isNaN(modifiedAt.getTime()) ? null : modifiedAt }))
      return reply.code(304).header('etag', eTag).send()
    const { bytes, mimeType } = await images.transform(sourceOf(object), planned)
    const metadata = { ...object.metadata, eTag, mimetype: mimeType, size: bytes.length }
    const download = textOf((query as Readonly<Record<string, unknown>>).download)
    const served = planRepresentation({ ...object, metadata }, headers, { method: 'GET', download, expiresAt })
    const { range } = served
    const body = range === null ? bytes : bytes.subarray(range.start, range.end + 1)
    return reply.code(served.status).headers(served.headers).send(body)
  }
}

/** A token may name the format apart from the other options. */
const signedOptions = ({ transformations, format }: SignedImage): ImageOptions =>
  parseTransformations([transformations ?? '', format === null ? '' : `format:${format}`].filter(Boolean).join(','))

const optionsOf = (query: Readonly<Record<string, unknown>>): ImageOptions =>
  parseImageOptions((name) => textOf(query[name]) ?? undefined)

/** A parameter's value; the last of repeated ones. */
function textOf(value: unknown): string | null {
  const last: unknown = Array.isArray(value) ? value.at(-1) : value
  return typeof last === 'string' ? last : null
}

/** The tag of a changed image: of its version and of what was changed. */
const etagOf = ({ version }: StoredObject, key: string): string =>
  `"${createHash('sha256').update(`${version} ${key}`).digest('hex').slice(0, 32)}"`
