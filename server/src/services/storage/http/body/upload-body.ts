import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { isObject, type JsonObject } from '../../../../ground/json/object.ts'
import { storageError } from '../../errors.ts'
import { checkHeaderValue } from '../header-value.ts'
import { checkRobotsTag } from '../robots-tag.ts'
import { readMultipart } from './multipart.ts'

/** A body to be stored, and what the client says of it (storage §5). */
export interface UploadBody {
  readonly body: Readable
  readonly mimeType: string
  /** The value of `cache-control` with which it is served. */
  readonly cacheControl: string
  readonly userMetadata: JsonObject | null
  readonly robotsTag: string | null
  /** `content-length` of the request; null for one of unknown length. */
  readonly declaredBytes: number | null
  /** Whether `declaredBytes` is the size of the file, and not of a form around it. */
  readonly isExact: boolean
  /** What a form says behind its file, once that has been read: official clients add fields to a form of their caller's. */
  readonly laterFacts: () => Promise<FormFacts>
}

/** What the fields of a form say of its file. */
export type FormFacts = Partial<Pick<UploadBody, 'mimeType' | 'cacheControl' | 'userMetadata'>>

/** Custom metadata is no longer than this. */
const longestMetadataBytes = 1024 * 1024

/**
 * Reads the head of an upload: a form's fields, or the headers of a raw body. The bytes are left to be read.
 *
 * @throws InvalidRequest, EntityTooLarge for metadata over 1 MiB
 */
export async function readUploadBody(headers: IncomingHttpHeaders, body: Readable): Promise<UploadBody> {
  const robotsTag = textOf(headers['x-robots-tag'])
  if (robotsTag !== null) checkRobotsTag(robotsTag)
  const length = Number(headers['content-length'] ?? Number.NaN)
  const common = { robotsTag, declaredBytes: Number.isSafeInteger(length) ? length : null }
  const contentType = headers['content-type'] ?? 'application/octet-stream'
  if (!/^multipart\/form-data/i.test(contentType))
    return {
      ...common,
      body,
      mimeType: contentType,
      cacheControl: headers['cache-control'] ?? 'no-cache',
      userMetadata: readMetadataHeader(headers['x-metadata']),
      isExact: true,
      laterFacts: async () => ({}),
    }
  const { file, mimeType, fields, laterFields } = await readMultipart(contentType, body)
  return {
    ...common,
    body: file,
    mimeType,
    cacheControl: 'no-cache',
    userMetadata: null,
    ...factsOf(fields),
    isExact: false,
    laterFacts: async () => factsOf(await laterFields()),
  }
}

/** @throws InvalidHeaderCharacter, EntityTooLarge */
function factsOf(fields: ReadonlyMap<string, string>): FormFacts {
  const mimeType = fields.get('contentType')
  const seconds = fields.get('cacheControl')
  const metadata = fields.get('metadata') ?? fields.get('userMetadata')
  return {
    ...(mimeType === undefined ? {} : { mimeType: checkHeaderValue(mimeType) }),
    ...(seconds === undefined || seconds === '' ? {} : { cacheControl: checkHeaderValue(`max-age=${seconds}`) }),
    ...(metadata === undefined ? {} : { userMetadata: parseMetadata(metadata) }),
  }
}

/** The metadata of a header: Base64 of a JSON object; null for anything else. */
export function readMetadataHeader(header: string | string[] | undefined): JsonObject | null {
  const text = textOf(header)
  return text === null ? null : parseMetadata(Buffer.from(text, 'base64').toString('utf8'))
}

/** @throws EntityTooLarge */
export function parseMetadata(text: string): JsonObject | null {
  if (Buffer.byteLength(text) > longestMetadataBytes)
    throw storageError('EntityTooLarge', { message: 'The user_metadata exceeded the maximum allowed size' })
  // PostgreSQL's jsonb has no NUL.
  if (text.includes('\\u0000')) return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

const textOf = (header: string | string[] | undefined): string | null =>
  (Array.isArray(header) ? header[0] : header) || null
