import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { storageError } from '../errors.ts'
import { readMetadataHeader } from '../http/body/upload-body.ts'
import { BucketParams, ObjectParams, objectNameOf } from '../http/params.ts'
import { listLimitBytes } from '../http/plugin.ts'
import { ownRequest } from '../http/routes.ts'
import type { ManagedObjects } from '../objects/manage.ts'
import type { Reads } from '../objects/read.ts'
import type { Uploads } from '../objects/upload.ts'
import type { UrlSigner } from './token.ts'
import { type Transform, TransformSchema, transformationsOf } from './transform.ts'

const seconds = Type.Integer({ minimum: 1, maximum: 10_000_000_000 })
const SignBody = Type.Object({ expiresIn: seconds, transform: Type.Optional(TransformSchema) })
const SignManyBody = Type.Object({
  expiresIn: seconds,
  paths: Type.Array(Type.String(), { minItems: 1 }),
})
const hidden = 'Either the object does not exist or you do not have access to it'

/** The dependencies of the routes that sign URLs. */
export interface SignRoutesDeps {
  readonly signer: UrlSigner
  readonly reads: Reads
  readonly uploads: Uploads
  readonly objects: Pick<ManagedObjects, 'visible'>
  /** The most URLs that one request signs. */
  readonly objectsPerRequest: number
}

/** Signed URLs (storage §7). Their paths are not encoded: clients do that. */
export function signRoutes(deps: SignRoutesDeps): FastifyPluginAsyncTypebox {
  const { signer, reads, uploads, objects, objectsPerRequest } = deps
  return async (app) => {
    app.post('/sign/:bucketName/*', { schema: { params: ObjectParams, body: SignBody } }, async (request) => {
      const own = ownRequest(request, 'storage.object.sign')
      const name = objectNameOf(request.params)
      await reads.findOwn(own, own.caller, name)
      const { expiresIn: expiresInSeconds, transform } = request.body
      const image = imageOf(transform)
      const token = signer.signDownload(name, { expiresInSeconds, ...image })
      const route = image.transformations === undefined ? '/object/sign' : '/render/image/sign'
      return { signedURL: `${route}/${name.bucketId}/${name.key}?token=${token}` }
    })
    const many = { schema: { params: BucketParams, body: SignManyBody }, bodyLimit: listLimitBytes }
    app.post('/sign/:bucketName', many, async (request) => {
      const own = ownRequest(request, 'storage.object.sign_many')
      const { bucketName: bucketId } = request.params
      const { expiresIn: expiresInSeconds, paths } = request.body
      if (paths.length > objectsPerRequest)
        throw storageError('InvalidRequest', {
          message: `body/paths must NOT have more than ${objectsPerRequest} items`,
        })
      const visible = await objects.visible(own, bucketId, paths)
      return paths.map((path) => {
        if (!visible.has(path)) return { error: hidden, path, signedURL: null }
        const token = signer.signDownload({ bucketId, key: path }, { expiresInSeconds })
        return { error: null, path, signedURL: `/object/sign/${bucketId}/${path}?token=${token}` }
      })
    })
    app.post('/upload/sign/:bucketName/*', { schema: { params: ObjectParams } }, async (request) => {
      const own = ownRequest(request, 'storage.object.sign_upload_url')
      const name = objectNameOf(request.params)
      const grant = { owner: own.caller.subject, upsert: request.headers['x-upsert'] === 'true' }
      await uploads.requireName(own, name)
      const facts = {
        mimeType: request.headers['content-type'] ?? 'application/octet-stream',
        userMetadata: readMetadataHeader(request.headers['x-metadata']),
        declaredBytes: null,
      }
      await uploads.test(own, own.caller, name, facts, grant)
      const token = signer.signUpload(name, grant)
      return { url: `/object/upload/sign/${name.bucketId}/${name.key}?token=${token}`, token }
    })
  }
}

function imageOf(transform: Transform | undefined): { transformations?: string; format?: string } {
  const transformations = transformationsOf(transform ?? {})
  if (transformations === '') return {}
  return { transformations, ...(transform?.format === undefined ? {} : { format: transform.format }) }
}
