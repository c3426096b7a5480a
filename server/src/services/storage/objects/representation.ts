import type { IncomingHttpHeaders } from 'node:http'
import { essenceOf } from '../buckets/mime-types.ts'
import type { ByteRange } from '../files/file-store.ts'
import { isNotModified, isRangeOfThis, type Validators } from './conditions.ts'
import type { StoredObject } from './object.ts'
import { parseRange } from './range.ts'

/** How an object is answered. */
export interface Representation {
  readonly status: 200 | 206 | 304
  readonly headers: Readonly<Record<string, string>>
  /** The bytes to be sent; null for all. */
  readonly range: ByteRange | null
}

/** What a download asks for, besides its headers. */
export interface ServeOptions {
  readonly method: 'GET' | 'HEAD'
  /** The query's `download`: the file's name, or empty; null for none. */
  readonly download: string | null
  /** When the signed URL ends; null for a URL without a token. */
  readonly expiresAt: Date | null
  /** Seconds for which shared caches that revalidate may keep the object; without them its `cache-control` says it. */
  readonly sharedCacheSeconds?: number
}

/**
 * Plans the answer to a download (storage §6).
 *
 * @throws InvalidRange
 */
export function planRepresentation(
  { metadata }: StoredObject,
  requested: IncomingHttpHeaders,
  options: ServeOptions,
): Representation {
  const { method, download, expiresAt } = options
  const etag = metadata.eTag ?? null
  const size = metadata.size ?? metadata.contentLength ?? null
  const validators = { etag, modifiedAt: dateOf(metadata.lastModified) }
  const headers: Record<string, string> = {
    ...contentHeaders(metadata.mimetype ?? 'application/octet-stream'),
    'accept-ranges': 'bytes',
    'x-robots-tag': metadata.xRobotsTag ?? 'none',
    ...(etag === null ? {} : { etag }),
    ...(validators.modifiedAt === null ? {} : { 'last-modified': validators.modifiedAt.toUTCString() }),
    ...(expiresAt === null
      ? cacheHeaders(metadata.cacheControl, requested, validators, options)
      : { expires: expiresAt.toUTCString() }),
    ...(download === null ? {} : { 'content-disposition': dispositionOf(download) }),
  }
  if (isNotModified(requested, validators)) return { status: 304, headers, range: null }
  const range =
    size === null || method === 'HEAD' || !isRangeOfThis(requested, validators)
      ? null
      : parseRange(requested.range, size)
  if (range !== null && size !== null)
    return {
      status: 206,
      headers: {
        ...headers,
        'content-length': String(range.end - range.start + 1),
        'content-range': `bytes ${range.start}-${range.end}/${size}`,
      },
      range,
    }
  return { status: 200, headers: size === null ? headers : { ...headers, 'content-length': String(size) }, range: null }
}

/** Documents that may hold scripts: a page that shows one must not run them in the origin of the application. */
const scriptable = /^(?:image\/svg|application\/xhtml|text\/xml|application\/xml)|\+xml$/
const sandbox = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

/** The type of the answer, so that no browser runs what a user has uploaded. */
export function contentHeaders(mimeType: string): Readonly<Record<string, string>> {
  const isHtml = mimeType.toLowerCase().includes('text/html')
  const type = isHtml ? 'text/plain' : mimeType
  return {
    'content-type': type,
    ...(scriptable.test(essenceOf(type)) ? { 'content-security-policy': sandbox } : {}),
  }
}

/** The stored value, and what a cache is told besides that asks whether its copy is still good. */
function cacheHeaders(
  stored: string | undefined,
  requested: IncomingHttpHeaders,
  validators: Validators,
  { method, sharedCacheSeconds = 0 }: ServeOptions,
): Readonly<Record<string, string>> {
  const values = [stored, ...(requested['if-none-match'] === undefined ? [] : forRevalidation())].filter(Boolean)
  return values.length === 0 ? {} : { 'cache-control': values.join(', ') }

  function forRevalidation(): readonly string[] {
    const isFresh = isNotModified(requested, validators)
    return [
      sharedCacheSeconds > 0 && (method === 'GET' || isFresh) ? `s-maxage=${sharedCacheSeconds}` : '',
      isFresh ? '' : method === 'HEAD' ? 'must-revalidate' : 'stale-while-revalidate=30',
    ]
  }
}

function dispositionOf(name: string): string {
  if (name === '') return 'attachment;'
  const encoded = encodeURIComponent(name)
  return `attachment; filename=${encoded}; filename*=UTF-8''${encoded}`
}

function dateOf(text: string | undefined): Date | null {
  const date = new Date(text ?? '')
  return Number.isNaN(date.getTime()) ? null : date
}
