import { isHeaderValue } from '../../http/header-value.ts'
import type { StoredObject } from '../../objects/object.ts'
import { contentHeaders, planRepresentation, type Representation } from '../../objects/representation.ts'
import type { Operate, S3Call, S3Response, S3Services } from '../call.ts'
import { renderDocument } from '../xml/render.ts'
import { checkPreconditions } from './preconditions.ts'
import { requireBucket } from './require-bucket.ts'

/** Headers of the answer that the query may set. */
const overrides = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
]

export const getObject: Operate = async (services, call) => {
  const object = await find(services, call)
  return open(services, call, object).catch(async (error: unknown) => {
    const found = services.reads.isGone(error) ? await find(services, call) : object
    // The object was replaced between the row and its file (storage §12).
    if (found.version === object.version) throw error
    return open(services, call, found)
  })
}

async function open({ reads }: S3Services, call: S3Call, object: StoredObject): Promise<S3Response> {
  const { status, headers, range } = plan(object, call, 'GET')
  return status === 304 ? { status, headers } : { status, headers, body: await reads.open(object, range) }
}

export const headObject: Operate = async (services, call) => {
  const object = await find(services, call)
  const { status, headers } = plan(object, call, 'HEAD')
  return { status, headers }
}

/** No object has tags. */
export const getObjectTagging: Operate = async (services, call) => {
  await find(services, call)
  return { status: 200, body: renderDocument('Tagging', { TagSet: {} }) }
}

async function find(services: S3Services, call: S3Call): Promise<StoredObject> {
  await requireBucket(services, call)
  return services.reads.findOwn(call.own, call.own.caller, call.name)
}

function plan(object: StoredObject, { headers, query, isPresigned }: S3Call, method: 'GET' | 'HEAD'): Representation {
  checkPreconditions(object.metadata, {
    match: headers['if-match'],
    unmodifiedSince: headers['if-unmodified-since'],
  })
  const planned = planRepresentation(object, headers, { method, download: null, expiresAt: null })
  const { 'x-robots-tag': _robots, ...general } = planned.headers
  const type = query.get('response-content-type') || object.metadata.mimetype || 'application/octet-stream'
  const set = overrides.flatMap((name) => {
    const value = query.get(`response-${name}`)
    return value && isHeaderValue(value) ? [[name, value] as const] : []
  })
  return {
    ...planned,
    headers: {
      ...general,
      ...Object.fromEntries(set),
      // A link opens in a browser, which must not run what it shows; the type itself is safe with a client.
      ...(isPresigned || !isHeaderValue(type) ? contentHeaders(type) : { 'content-type': type }),
      ...metadataHeaders(object),
    },
  }
}

/** What the client attached, as far as headers can carry it. */
function metadataHeaders({ userMetadata }: StoredObject): Readonly<Record<string, string>> {
  const all = Object.entries(userMetadata ?? {})
  const readable = all.filter(
    ([name, value]) => /^[\w.-]{1,100}$/.test(name) && typeof value !== 'object' && isShortHeaderValue(String(value)),
  )
  const missing = all.length - readable.length
  return {
    ...Object.fromEntries(readable.map(([name, value]) => [`x-amz-meta-${name.toLowerCase()}`, String(value)])),
    ...(missing === 0 ? {} : { 'x-amz-missing-meta': String(missing) }),
  }
}

/** Clients and proxies read heads of 8 KiB or little more. */
const longestValue = 4096

const isShortHeaderValue = (text: string): boolean => text.length <= longestValue && isHeaderValue(text)
