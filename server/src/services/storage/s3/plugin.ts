import type { IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestContext } from '../../../ground/model/request.ts'
import { storageError } from '../errors.ts'
import { contextOf } from '../http/routes.ts'
import { parseAddress, type S3Address } from './address.ts'
import { signedForOf } from './addresses.ts'
import { findSigner, type S3Keys, verifySigner } from './authenticate.ts'
import type { S3Call, S3Response, S3Services } from './call.ts'
import { planBody } from './chunked/plan-body.ts'
import { readBody } from './chunked/read-body.ts'
import { internalError, toErrorResponse } from './error-response.ts'
import { operations } from './operate.ts'
import { postObject } from './operations/post-object.ts'
import { operationNames, planOperation } from './plan-operation.ts'
import { parseCredentials } from './signature/credentials.ts'
import { parseQuery } from './signature/encode.ts'
import { longestDocumentBytes, parseXml } from './xml/parse.ts'

/** The dependencies of the S3 protocol. */
export interface S3Deps {
  readonly services: S3Services
  readonly keys: S3Keys
  /** The API's address for clients, which their signatures name. */
  readonly publicUrl: URL | null
  readonly now: () => Date
  readonly log: { error(details: object, message: string): void }
}

/** The S3 protocol at `/s3` (storage §10). Bodies are streams: the scope must parse none. */
export function s3Plugin(deps: S3Deps): FastifyPluginAsync {
  return async (app) => {
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const context = contextOf(request)
      let response: S3Response
      let resource = ''
      try {
        const address = parseAddress(pathOf(context))
        resource = `${address.bucketId}${address.key === '' ? '' : `/${address.key}`}`
        response = await answer(deps, request, address)
      } catch (error) {
        // What the client still sends is read and dropped, so that it comes to read the answer.
        request.raw.unpipe()
        request.raw.resume()
        const refused = toErrorResponse(error, resource)
        if (refused === null) deps.log.error({ err: error, requestId: context.id }, 'storage: an S3 request failed')
        const described = refused ?? internalError(resource)
        context.errorCode = described.code
        response = described
      }
      return send(reply, response, context.id)
    }
    // What the framework refuses before there is a handler, such as a content type that is none.
    app.setErrorHandler((cause: Error, request, reply) => {
      const message = 'The headers of the request are not well formed'
      const refused = toErrorResponse(storageError('InvalidRequest', { message, cause }), '') ?? internalError('')
      contextOf(request).errorCode = refused.code
      return send(reply, refused, contextOf(request).id)
    })
    const method = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE']
    for (const url of ['/', '/*']) app.route({ method, url, exposeHeadRoute: false, handler })
  }
}

async function answer(deps: S3Deps, request: FastifyRequest, address: S3Address): Promise<S3Response> {
  const context = contextOf(request)
  const headers = headersOf(request.headers)
  const query = new Map(parseQuery(context.query))
  const operation = planOperation(request.method, address, query, headers)
  const own = { context, operation: operationNames[operation] }
  const name = { bucketId: address.bucketId, key: address.key }
  if (operation === 'PostObject') return postObject(deps, own, name.bucketId, request.raw)

  const signed = {
    method: request.method,
    path: context.path,
    query: context.query,
    rawHeaders: request.raw.rawHeaders,
  }
  const credentials = parseCredentials(signed)
  const signer = findSigner(credentials, deps.keys)
  const seed = verifySigner(signed, credentials, signer, signedForOf(headers, deps.publicUrl), deps.now())
  const plan = planBody(headers, credentials.payloadHash)
  const call: S3Call = {
    own: { ...own, caller: signer.caller },
    name,
    query,
    headers,
    isPresigned: credentials.place.kind === 'query',
    sizeBytes: plan.sizeBytes,
    body: () => readBody(request.raw, plan, seed),
    document: async () => {
      if ((plan.sizeBytes ?? 0) > longestDocumentBytes) throw storageError('EntityTooLarge')
      // A body of unknown length is no document: it would have to be believed without bounds.
      if (plan.sizeBytes === null) return null
      const text = (await buffer(readBody(request.raw, plan, seed).stream)).toString('utf8')
      return text === '' ? null : parseXml(text)
    },
  }
  return operations[operation](deps.services, call)
}

/** The path below `/s3`, as it was sent. */
const pathOf = ({ path }: RequestContext): string => path.slice(path.indexOf('/s3') + 3)

/** Headers with one value each: repeated ones are joined, as Node does for all but a few. */
function headersOf(headers: IncomingHttpHeaders): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
}

function send(reply: FastifyReply, { status, headers = {}, body }: S3Response, requestId: string): FastifyReply {
  reply.code(status).headers({ 'x-amz-request-id': requestId, ...headers })
  if (typeof body === 'string' && headers['content-type'] === undefined) reply.type('application/xml')
  return reply.send(reply.request.method === 'HEAD' && typeof body === 'string' ? undefined : body)
}
