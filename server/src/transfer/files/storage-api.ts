import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { ownAgent } from '../../ground/http/own-agent.ts'
import { isObject } from '../../ground/json/object.ts'
import type { UploadSource } from '../../instance/project/buckets/upload-source.ts'
import { createHttpCaller, type HttpCall, readText } from './http-call.ts'

/** A storage service by its address (storage §1). */
export interface StorageApiOptions {
  /** The project's address, or that of its storage service, which ends in `/storage/v1`. */
  readonly url: string
  /** The service key: a token, or an `sb_secret_…` key. */
  readonly key: string
  /** Whether it is the running instance's own port, whose certificate is for the name that browsers use. */
  readonly isOwn?: boolean
  /** How long each further attempt of a call waits; none is made by default. */
  readonly retryDelaysMs?: readonly number[]
}

/** A call that the storage service refused. */
export class StorageRefusal extends Error {
  readonly status: number
  /** `NoSuchBucket`, `EntityTooLarge`; empty where the answer has none. */
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.name = 'StorageRefusal'
    this.status = status
    this.code = code
  }
}

/** The properties of a bucket that may be set; what is absent is left as it is. */
export interface BucketProperties {
  readonly public?: boolean
  readonly file_size_limit?: number
  readonly allowed_mime_types?: readonly string[]
}

/** A bucket as it is listed. */
export interface ListedBucket {
  readonly id: string
  readonly name: string
  readonly public: boolean
  readonly file_size_limit: number | null
  readonly allowed_mime_types: readonly string[] | null
}

/** An object's bucket and key. */
export interface ObjectAddress {
  readonly bucket: string
  readonly key: string
}

/** An object or a folder below a prefix. */
export interface ListedObject {
  /** Below the prefix. */
  readonly name: string
  /** Null for a folder. */
  readonly id: string | null
}

/** The bytes of an object. */
export interface Download {
  readonly body: Readable
  /** Null where the answer does not say. */
  readonly sizeBytes: number | null
}

/** The storage service's API, as the service role (storage §3, storage §5, storage §6, storage §8). */
export interface StorageApi {
  buckets(): Promise<readonly ListedBucket[]>
  createBucket(name: string, properties: BucketProperties): Promise<void>
  updateBucket(id: string, properties: BucketProperties): Promise<void>
  /** Returns what the service says. */
  deleteBucket(id: string): Promise<string>
  /** One level below a prefix, in pages of `pageSize`. */
  list(bucket: string, prefix: string, page: number): Promise<readonly ListedObject[]>
  upload(address: ObjectAddress, source: UploadSource): Promise<void>
  download(address: ObjectAddress): Promise<Download>
  /** Returns what the service says. */
  move(bucket: string, from: string, to: string): Promise<string>
  /** Returns the keys that were there. */
  remove(bucket: string, keys: readonly string[]): Promise<readonly string[]>
  close(): void
}

/** Entries of a page of `list`. */
export const pageSize = 1000

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
const json = { 'content-type': 'application/json' }

/** @throws StorageRefusal from every call that the service refuses */
export function openStorageApi({ url, key, isOwn = false, retryDelaysMs = [] }: StorageApiOptions): StorageApi {
  const address = new URL(url)
  if (!/\/storage\/v1\/?$/.test(address.pathname))
    address.pathname = `${address.pathname.replace(/\/+$/, '')}/storage/v1`
  // A key that is no token is known by its own header alone.
  const authorization = key.startsWith('sb_') ? {} : { authorization: `Bearer ${key}` }
  const headers = { apikey: key, ...authorization, ...(isOwn && { 'user-agent': ownAgent }) }
  const caller = createHttpCaller({ url: address, headers, checksCertificate: !isOwn, retryDelaysMs })

  const ask = async (call: HttpCall): Promise<IncomingMessage> => {
    const answer = await caller.call(call)
    const status = answer.statusCode ?? 0
    if (status >= 200 && status < 300) return answer
    throw refusalOf(status, await readText(answer))
  }
  const askJson = async (method: string, path: string, body?: object): Promise<unknown> => {
    const call = body === undefined ? { method, path } : { method, path, headers: json, body: JSON.stringify(body) }
    return JSON.parse(await readText(await ask(call)))
  }
  const askMessage = async (method: string, path: string, body: object): Promise<string> => {
    const answer = await askJson(method, path, body)
    return isObject(answer) ? String(answer.message) : ''
  }
  return {
    // The service's own answers, in the forms of its protocol.
    buckets: async () => (await askJson('GET', '/bucket')) as readonly ListedBucket[],
    createBucket: async (name, properties) => {
      await askJson('POST', '/bucket', { name, ...properties })
    },
    updateBucket: async (id, properties) => {
      await askJson('PUT', `/bucket/${encodeURIComponent(id)}`, properties)
    },
    deleteBucket: (id) => askMessage('DELETE', `/bucket/${encodeURIComponent(id)}`, {}),
    list: async (bucket, path, page) => {
      const end = path.lastIndexOf('/') + 1
      const [prefix, search] = [path.slice(0, end), path.slice(end)]
      const body = { prefix, search, limit: pageSize, offset: page * pageSize }
      return (await askJson('POST', `/object/list/${encodeURIComponent(bucket)}`, body)) as readonly ListedObject[]
    },
    upload: async ({ bucket, key: name }, { open, sizeBytes, contentType, cacheControl, overwrites }) => {
      const headers = {
        'content-type': contentType,
        ...(sizeBytes === null ? {} : { 'content-length': sizeBytes }),
        'cache-control': cacheControl,
        'x-upsert': String(overwrites),
      }
      const path = `/object/${encodeURIComponent(bucket)}/${encoded(name)}`
      await readText(await ask({ method: 'POST', path, headers, body: open }))
    },
    download: async ({ bucket, key: name }) => {
      const path = `/object/authenticated/${encodeURIComponent(bucket)}/${encoded(name)}`
      const body = await ask({ method: 'GET', path })
      const length = Number(body.headers['content-length'] ?? Number.NaN)
      return { body, sizeBytes: Number.isSafeInteger(length) ? length : null }
    },
    move: (bucketId, sourceKey, destinationKey) =>
      askMessage('POST', '/object/move', { bucketId, sourceKey, destinationKey }),
    remove: async (bucket, prefixes) => {
      const removed = await askJson('DELETE', `/object/${encodeURIComponent(bucket)}`, { prefixes })
      return (removed as readonly { readonly name: string }[]).map(({ name }) => name)
    },
    close: caller.close,
  }
}

/** What an answer says is wrong: the form of the service's errors, or a proxy's. */
function refusalOf(status: number, text: string): StorageRefusal {
  const parsed = parse(text)
  if (!isObject(parsed)) return new StorageRefusal(status, '', `The storage service answered ${status}.`)
  const { code, error, message, statusCode } = parsed
  // Older services have no `code`.
  const name = [code, error].find((each) => typeof each === 'string') ?? ''
  return new StorageRefusal(Number(statusCode ?? status), String(name), String(message ?? name))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
