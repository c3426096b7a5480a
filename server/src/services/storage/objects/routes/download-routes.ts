import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { StorageRequest } from '../../http/caller.ts'
import { ObjectParams, objectNameOf } from '../../http/params.ts'
import { anonymousRequest, openRequest, ownRequest } from '../../http/routes.ts'
import type { ObjectName } from '../../names/object-name.ts'
import type { UrlSigner } from '../../sign/token.ts'
import type { StoredObject } from '../object.ts'
import type { Access, Reads } from '../read.ts'
import { planRepresentation } from '../representation.ts'

const DownloadQuery = Type.Object({ download: Type.Optional(Type.String()) })
const SignedQuery = Type.Object({ download: Type.Optional(Type.String()), token: Type.String() })

/** The dependencies of the routes of downloads. */
export interface DownloadRoutesDeps {
  readonly reads: Reads
  readonly signer: Pick<UrlSigner, 'readDownload'>
  /** Seconds for which shared caches that revalidate may keep an object; 0 to leave that to its `cache-control`. */
  readonly sharedCacheSeconds: number
}

interface Source {
  readonly request: StorageRequest
  readonly name: ObjectName
  readonly access: Access
}

interface SendOptions {
  readonly download: string | null
  readonly expiresAt: Date | null
}

type App = Parameters<FastifyPluginAsyncTypebox>[0]

/** Downloads and facts of objects (storage §6). */
export function downloadRoutes({ reads, signer, sharedCacheSeconds }: DownloadRoutesDeps): FastifyPluginAsyncTypebox {
  const send = createSender(reads, sharedCacheSeconds)
  return async (app) => {
    bodyRoutes(app, send)
    app.get(
      '/sign/:bucketName/*',
      { schema: { params: ObjectParams, querystring: SignedQuery }, exposeHeadRoute: false },
      (request, reply) => {
        const name = objectNameOf(request.params)
        const { expiresAt } = signer.readDownload(request.query.token, name)
        const source = {
          request: anonymousRequest(request, 'storage.object.get_signed'),
          name,
          access: 'signed',
        } as const
        return send(source, request, reply, { download: request.query.download ?? null, expiresAt })
      },
    )
    infoRoutes(app, reads)
  }
}

type Send = ReturnType<typeof createSender>

function bodyRoutes(app: App, send: Send): void {
  const schema = { params: ObjectParams, querystring: DownloadQuery }
  for (const method of ['GET', 'HEAD'] as const) {
    const operation = method === 'GET' ? 'storage.object.get_authenticated' : 'object.head_authenticated_info'
    const publicOperation = method === 'GET' ? 'storage.object.get_public' : 'storage.object.info_public'
    const route = (url: string, sourceOf: (request: FastifyRequest, name: ObjectName) => Source): void => {
      app.route({
        method,
        url,
        schema,
        exposeHeadRoute: false,
        handler: (request, reply) =>
          send(sourceOf(request, objectNameOf(request.params)), request, reply, {
            download: request.query.download ?? null,
            expiresAt: null,
          }),
      })
    }
    route('/authenticated/:bucketName/*', (request, name) => ({
      request: ownRequest(request, operation),
      name,
      access: 'by caller',
    }))
    route('/public/:bucketName/*', (request, name) => ({
      request: anonymousRequest(request, publicOperation),
      name,
      access: 'public',
    }))
    route('/:bucketName/*', (request, name) => ({
      request: openRequest(request, operation),
      name,
      access: 'by caller',
    }))
  }
}

function createSender(reads: Reads, sharedCacheSeconds: number) {
  return async (
    { request, name, access }: Source,
    { headers, method }: FastifyRequest,
    reply: FastifyReply,
    options: SendOptions,
  ) => {
    const isHead = method === 'HEAD'
    const plan = (object: StoredObject) =>
      planRepresentation(object, headers, { ...options, sharedCacheSeconds, method: isHead ? 'HEAD' : 'GET' })
    let object = await reads.find(request, name, access)
    let representation = plan(object)
    if (isHead || representation.status === 304)
      return reply.code(representation.status).headers(representation.headers).send()
    const body = await reads.open(object, representation.range).catch(async (error: unknown) => {
      const found = reads.isGone(error) ? await reads.find(request, name, access) : object
      // The object was replaced between the row and its file (storage §12).
      if (found.version === object.version) throw error
      object = found
      representation = plan(object)
      return reads.open(object, representation.range)
    })
    return reply.code(representation.status).headers(representation.headers).send(body)
  }
}

function infoRoutes(app: App, reads: Reads): void {
  const route = (url: string, sourceOf: (request: FastifyRequest) => Omit<Source, 'name'>): void => {
    app.get(url, { schema: { params: ObjectParams } }, async (request, reply) => {
      const { request: storageRequest, access } = sourceOf(request)
      const object = await reads.find(storageRequest, objectNameOf(request.params), access)
      const { metadata } = object
      if (metadata.eTag !== undefined) reply.header('etag', metadata.eTag)
      return infoOf(object)
    })
  }
  route('/info/authenticated/:bucketName/*', (request) => ({
    request: ownRequest(request, 'object.get_authenticated_info'),
    access: 'by caller',
  }))
  route('/info/public/:bucketName/*', (request) => ({
    request: anonymousRequest(request, 'storage.object.info_public'),
    access: 'public',
  }))
  route('/info/:bucketName/*', (request) => ({
    request: openRequest(request, 'object.get_authenticated_info'),
    access: 'by caller',
  }))
}

const infoOf = ({ metadata, ...object }: StoredObject) => ({
  id: object.id,
  name: object.key,
  version: object.version,
  bucket_id: object.bucketId,
  size: metadata.size ?? null,
  content_type: metadata.mimetype ?? null,
  cache_control: metadata.cacheControl ?? null,
  etag: metadata.eTag ?? null,
  metadata: object.userMetadata,
  last_modified: object.updatedAt,
  created_at: object.createdAt,
})
