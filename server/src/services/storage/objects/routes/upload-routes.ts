import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { readUploadBody } from '../../http/body/upload-body.ts'
import type { StorageCaller, StorageRequest } from '../../http/caller.ts'
import { ObjectParams, objectNameOf } from '../../http/params.ts'
import { anonymousRequest, ownRequest } from '../../http/routes.ts'
import type { ObjectName } from '../../names/object-name.ts'
import type { UrlSigner } from '../../sign/token.ts'
import type { UploadOptions } from '../admission.ts'
import type { Uploaded } from '../received.ts'
import { isShort } from '../short-upload.ts'
import type { Uploads } from '../upload.ts'

const TokenQuery = Type.Object({ token: Type.String() })

/** The dependencies of the routes of uploads. */
export interface UploadRoutesDeps {
  readonly uploads: Uploads
  readonly signer: Pick<UrlSigner, 'readUpload'>
  /** The largest object of one plain upload; null where the other limits hold alone. */
  readonly limitBytes: number | null
}

/** Uploads of `/object` (storage §5). Bodies are streams: the scope must parse none. */
export function uploadRoutes({ uploads, signer, limitBytes }: UploadRoutesDeps): FastifyPluginAsyncTypebox {
  const receive = async (
    request: FastifyRequest,
    storageRequest: StorageRequest,
    name: ObjectName,
    options: UploadOptions,
    tester: StorageCaller | null,
  ): Promise<Pick<Uploaded, 'id'>> => {
    try {
      const body = await readUploadBody(request.headers, request.raw)
      if (tester !== null && isShort(body, name))
        return await uploads.storeShort(
          storageRequest,
          tester,
          name,
          body,
          limitBytes ?? Number.POSITIVE_INFINITY,
          options,
        )
      const allowed = await uploads.admit(storageRequest, tester, name, body, options)
      const limit = Math.min(allowed, limitBytes ?? allowed)
      const settle = async () => {
        const later = await body.laterFacts()
        // Policies see the type and the metadata, and the bucket allows types: neither may change unseen.
        if (later.mimeType !== undefined || later.userMetadata !== undefined)
          await uploads.admit(storageRequest, tester, name, { ...body, ...later }, options)
        return later
      }
      return await uploads.store(storageRequest, name, body, limit, options, settle)
    } catch (error) {
      // What the client still sends is read and dropped, so that it comes to read the answer.
      request.raw.unpipe()
      request.raw.resume()
      throw error
    }
  }
  const upload = async (request: FastifyRequest, name: ObjectName, operation: string, upsert: boolean) => {
    const own = ownRequest(request, operation)
    const options = { upsert, owner: own.caller.subject }
    const { id } = await receive(request, own, name, options, own.caller)
    return { Id: id, Key: `${name.bucketId}/${name.key}` }
  }
  return async (app) => {
    app.post('/:bucketName/*', { schema: { params: ObjectParams } }, (request) =>
      upload(request, objectNameOf(request.params), 'storage.object.upload', request.headers['x-upsert'] === 'true'),
    )
    app.put('/:bucketName/*', { schema: { params: ObjectParams } }, (request) =>
      upload(request, objectNameOf(request.params), 'storage.object.upload_update', true),
    )
    app.put(
      '/upload/sign/:bucketName/*',
      { schema: { params: ObjectParams, querystring: TokenQuery } },
      async (request) => {
        const name = objectNameOf(request.params)
        const grant = signer.readUpload(request.query.token, name)
        await receive(request, anonymousRequest(request, 'storage.object.upload_signed'), name, grant, null)
        return { Key: `${name.bucketId}/${name.key}` }
      },
    )
  }
}
