import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { storageError } from '../errors.ts'
import { FileError } from '../files/errors.ts'
import type { StorageCaller, StorageRequest } from '../http/caller.ts'
import { toErrorResponse } from '../http/error-response.ts'
import { anonymousRequest, contextOf, ownRequest } from '../http/routes.ts'
import type { UploadOptions } from '../objects/admission.ts'
import type { UrlSigner } from '../sign/token.ts'
import { checksumAlgorithms, parseChecksum } from './checksum.ts'
import { parseUploadId, parseUploadMetadata, readByteCount, renderUploadId, renderUploadMetadata } from './headers.ts'
import { locationOf } from './location.ts'
import type { RecordCommit, ResumableUploads, UploadState } from './resumable.ts'

/** The dependencies of the routes of resumable uploads. */
export interface TusRoutesDeps {
  readonly resumable: ResumableUploads
  readonly signer: Pick<UrlSigner, 'readUpload'>
  /** The service's own limit of an object, in bytes. */
  readonly fileSizeLimit: number
  /** The configured address of the API; null where there is none. */
  readonly publicUrl: URL | null
}

const version = '1.0.0'
const chunkType = 'application/offset+octet-stream'
const extensions = 'creation,creation-with-upload,creation-defer-length,termination,expiration,checksum'
const IdParams = Type.Object({ id: Type.String() })

/** Who uploads: a caller whose rights are tested, or the holder of a signed token, which was tested when it was signed. */
export interface Uploader {
  readonly request: StorageRequest
  readonly tester: StorageCaller | null
  readonly options: UploadOptions
  readonly record?: RecordCommit
}

type App = Parameters<FastifyPluginAsyncTypebox>[0]

/** @throws where the request may not upload */
export type FindUploader = (request: FastifyRequest, operation: string) => Uploader

/** TUS 1.0.0 (storage §9; https://tus.io/protocols/resumable-upload). Bodies are streams: the scope must parse none. */
export function tusRoutes(deps: TusRoutesDeps): FastifyPluginAsyncTypebox {
  const { signer } = deps
  const byToken: FindUploader = (request, operation) => {
    const own = ownRequest(request, `storage.tus.${operation}`)
    const upsert = request.headers['x-upsert'] === 'true'
    return { request: own, tester: own.caller, options: { upsert, owner: own.caller.subject } }
  }
  const bySignature: FindUploader = (request, operation) => {
    const signature = request.headers['x-signature']
    if (typeof signature !== 'string') throw storageError('InvalidSignature', { message: 'Missing x-signature header' })
    const [bucketId, key] = namedBy(request)
    const options = signer.readUpload(signature, { bucketId, key })
    return { request: anonymousRequest(request, `storage.tus.${operation}_signed`), tester: null, options }
  }
  return async (app) => {
    speakTus(app)
    await app.register(uploaderRoutes(deps, byToken))
    await app.register(uploaderRoutes(deps, bySignature), { prefix: '/sign' })
  }
}

/** Checks the version of each request of a scope, and answers errors as texts. */
export function speakTus(app: App): void {
  app.setErrorHandler(sendTextError)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('tus-resumable', version)
    const isKnown = request.method === 'OPTIONS' || request.headers['tus-resumable'] === version
    if (isKnown) done()
    else reply.code(412).header('tus-version', version).send('Tus-Resumable Required')
  })
}

/** Bucket and key: of the metadata while the upload is created, then of its address. */
function namedBy(request: FastifyRequest): readonly [bucketId: string, key: string] {
  const { id } = request.params as { readonly id?: string }
  if (id === undefined) {
    const metadata = parseUploadMetadata(String(request.headers['upload-metadata'] ?? ''))
    return [metadata.get('bucketName') ?? '', metadata.get('objectName') ?? '']
  }
  const [bucketId = '', ...rest] = Buffer.from(id, 'base64url').toString('utf8').split('/')
  return [bucketId, rest.slice(0, -1).join('/')]
}

/** Uploads that `find` allows. */
export function uploaderRoutes(deps: Omit<TusRoutesDeps, 'signer'>, find: FindUploader): FastifyPluginAsyncTypebox {
  const { resumable, fileSizeLimit } = deps
  const served = {
    'tus-version': version,
    'tus-extension': extensions,
    'tus-max-size': String(fileSizeLimit),
    'tus-checksum-algorithm': checksumAlgorithms.join(','),
  }
  return async (app) => {
    for (const url of ['/', '/:id']) app.options(url, (_request, reply) => reply.code(204).headers(served).send())
    app.post('/', (request, reply) => create(app, deps, find, request, reply))
    app.head('/:id', { schema: { params: IdParams } }, async (request, reply) => {
      const { request: storageRequest, record } = find(request, 'upload.get')
      const state = await resumable.describe(storageRequest, parseUploadId(request.params.id), record)
      const { sizeBytes, metadata } = state.upload
      setState(reply, state)
      return reply
        .code(200)
        .headers({
          'cache-control': 'no-store',
          'upload-metadata': renderUploadMetadata(new Map(Object.entries(metadata))),
          ...(sizeBytes === null ? { 'upload-defer-length': '1' } : { 'upload-length': String(sizeBytes) }),
        })
        .send()
    })
    app.patch('/:id', { schema: { params: IdParams } }, async (request, reply) => {
      const uploader = find(request, 'upload.part')
      if (request.headers['content-type'] !== chunkType) return reply.code(415).send('Invalid Content-Type header')
      const state = await append(resumable, uploader, parseUploadId(request.params.id), request)
      setState(reply, state)
      return reply.code(204).send()
    })
    app.delete('/:id', { schema: { params: IdParams } }, async (request, reply) => {
      const { request: storageRequest, tester } = find(request, 'upload.delete')
      await resumable.remove(storageRequest, tester, parseUploadId(request.params.id))
      return reply.code(204).send()
    })
  }
}

async function create(
  app: App,
  { resumable, publicUrl }: Omit<TusRoutesDeps, 'signer'>,
  find: FindUploader,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const uploader = find(request, 'upload.create')
  const sizeBytes = readByteCount(request.headers, 'upload-length')
  if (sizeBytes === null && request.headers['upload-defer-length'] !== '1')
    throw storageError('InvalidRequest', { message: 'upload-length or upload-defer-length is required' })
  const metadata = parseUploadMetadata(String(request.headers['upload-metadata'] ?? ''))
  const { request: storageRequest, tester, options, record } = uploader
  let state = await resumable.create(storageRequest, tester, metadata, sizeBytes, options, record)
  const { id, bucketId, key } = state.upload
  reply.header('location', locationOf(request, `${app.prefix}/${renderUploadId(bucketId, key, id)}`, publicUrl))
  if (request.headers['content-type'] === chunkType && !state.isFinished)
    state = await append(resumable, uploader, id, request, 0)
  setState(reply, state)
  return reply.code(201).send()
}

function append(
  resumable: ResumableUploads,
  { request: storageRequest, tester, record }: Uploader,
  id: string,
  request: FastifyRequest,
  at: number | null = readByteCount(request.headers, 'upload-offset'),
): Promise<UploadState> {
  if (at === null) throw storageError('InvalidRequest', { message: 'upload-offset is required' })
  const sizeBytes = readByteCount(request.headers, 'upload-length')
  const checksum = parseChecksum(request.headers['upload-checksum'])
  return resumable.append(storageRequest, tester, id, { offset: at, body: request.raw, sizeBytes, checksum }, record)
}

function setState(reply: FastifyReply, { upload, offset, isFinished }: UploadState): void {
  reply.header('upload-offset', String(offset))
  if (isFinished) reply.header('tus-complete', '1')
  else reply.header('upload-expires', upload.expiresAt.toUTCString())
}

/** Errors of TUS are texts with the logical status. What the client still sends is read and dropped. */
function sendTextError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.raw.resume()
  const context = contextOf(request)
  if (error instanceof FileError && error.code === 'WrongOffset') return reply.code(409).send('Upload-Offset conflict')
  const response = toErrorResponse(context.signal.aborted ? storageError('Aborted', { cause: error }) : error)
  if (response === null) throw error
  context.errorCode = response.body.code
  // The reference's words, and its line end.
  const text = response.body.code === 'EntityTooLarge' ? 'Maximum size exceeded\n' : response.body.message
  return reply.code(Number(response.body.statusCode)).headers(response.headers).send(text)
}
