import { decompress, isGzip } from '../../../ground/http/decompress.ts'
import { measureJson } from '../../../ground/http/json-size.ts'
import { analyticsError } from '../errors.ts'
import { unpackLz64 } from './lz64.ts'

/** What a capture request carries, before anything of it is understood. */
export interface EncodedBody {
  readonly contentType: string
  readonly contentEncoding: string
  readonly body: Buffer
  /** `data` of the query string: the whole body of a GET pixel. */
  readonly dataParameter: string | null
  /** `compression` of the query string; only `lz64` says anything that the bytes do not. */
  readonly compression: string | null
}

export interface BodyLimits {
  /** How much may come out of decompression. */
  readonly limitBytes: number
  /** How deep its arrays and objects may nest. */
  readonly jsonDepth: number
}

/** A body as JSON says it, and the text that says it. */
export interface DecodedBody {
  /** `undefined` when the body is empty. */
  readonly value: unknown
  readonly text: string
}

/**
 * Undoes every encoding that clients use: content encoding, form field `data`, base64, gzip by its magic
 * bytes, one inside the other in this order. What is left is JSON.
 *
 * @throws CLEW_INGEST_ENCODING, CLEW_INGEST_TOO_LARGE
 */
export async function unpackBody(encoded: EncodedBody, limitBytes: number): Promise<Buffer> {
  const body =
    encoded.dataParameter === null ? await undoContentEncoding(encoded, limitBytes) : Buffer.from(encoded.dataParameter)
  const field = encoded.dataParameter === null ? fieldOf(body, encoded.contentType) : body
  const isLz64 = encoded.compression === 'lz64' || encoded.compression === 'lz'
  return isLz64 ? unpackLz(field, limitBytes) : unpack(field, limitBytes)
}

/** A body that is JSON as it came; null for one that may have to be unpacked. */
export function plainBody({ body, contentEncoding, dataParameter, compression }: EncodedBody): Buffer | null {
  const isEncoded = contentEncoding !== '' || dataParameter !== null || compression?.startsWith('lz') === true
  return !isEncoded && (body[0] === openBrace || body[0] === openBracket) ? body : null
}

const openBracket = 0x5b
const openBrace = 0x7b

/** Unpacks a body and parses its JSON. @throws what the two do */
export const decodeBody = async (encoded: EncodedBody, { limitBytes, jsonDepth }: BodyLimits): Promise<DecodedBody> =>
  parseJson(await unpackBody(encoded, limitBytes), jsonDepth)

/** Parses the JSON of a body. @throws CLEW_INGEST_JSON, CLEW_INGEST_TOO_DEEP */
export function parseJson(plain: Buffer, jsonDepth: number): DecodedBody {
  const whole = plain.toString('utf8')
  const text = whole.charCodeAt(0) === byteOrderMark ? whole.slice(1) : whole
  if (plain.length === 0) return { value: undefined, text }
  const size = measureJson(text, { depth: jsonDepth, values: mostValues })
  if (size === 'deep') throw analyticsError('CLEW_INGEST_TOO_DEEP')
  if (size === 'many') throw analyticsError('CLEW_INGEST_TOO_LARGE', { details: `more than ${mostValues} values` })
  try {
    return { value: JSON.parse(text), text }
  } catch (cause) {
    throw analyticsError('CLEW_INGEST_JSON', { cause })
  }
}

const byteOrderMark = 0xfeff
// Parsed they take some 300 MB, whatever their form; the heap of a thread has room for more.
const mostValues = 2_000_000

async function undoContentEncoding({ contentEncoding, body }: EncodedBody, limitBytes: number): Promise<Buffer> {
  const coding = contentEncoding.trim().toLowerCase()
  if (coding === '' || coding === 'identity') return body
  if (coding === 'gzip' || coding === 'x-gzip') return inflateBody('gzip', body, limitBytes)
  if (coding === 'deflate' || coding === 'br') return inflateBody(coding, body, limitBytes)
  throw analyticsError('CLEW_INGEST_ENCODING', { details: `content-encoding ${coding}` })
}

async function inflateBody(coding: 'gzip' | 'deflate' | 'br', body: Buffer, limitBytes: number): Promise<Buffer> {
  const outcome = await decompress(coding, body, limitBytes)
  switch (outcome.kind) {
    case 'bytes':
      return outcome.bytes
    case 'too_large':
      throw analyticsError('CLEW_INGEST_TOO_LARGE')
    case 'damaged':
      throw analyticsError('CLEW_INGEST_ENCODING', { details: `not ${coding}, or cut off` })
    default:
      return outcome satisfies never
  }
}

const formStart = Buffer.from('data=')

/** The field `data` of a form, else the body itself. Beacons may come as text/plain, so the bytes decide too. */
function fieldOf(body: Buffer, contentType: string): Buffer {
  const isForm = contentType.startsWith('application/x-www-form-urlencoded')
  if (!isForm && !body.subarray(0, formStart.length).equals(formStart)) return body
  if (isGzip(body) || body[0] === openBrace || body[0] === openBracket) return body
  const raw = body
    .toString('latin1')
    .split('&')
    .find((pair) => pair.startsWith('data='))
    ?.slice('data='.length)
  if (raw === undefined) return body
  try {
    const text = decodeURIComponent(raw)
    // In JSON a plus sign of a form is a space; in base64 it is a digit that careless clients do not escape.
    return Buffer.from(/^\s*[{[]/.test(text) ? decodeURIComponent(raw.replaceAll('+', ' ')) : text)
  } catch (cause) {
    throw analyticsError('CLEW_INGEST_ENCODING', { details: 'percent-encoding', cause })
  }
}

/** Undoes base64 and gzip for as long as the bytes look like them; two layers are all that clients make. */
async function unpack(bytes: Buffer, limitBytes: number): Promise<Buffer> {
  const decoded = isGzip(bytes) ? bytes : fromBase64(bytes)
  if (!isGzip(decoded)) return decoded
  const plain = await inflateBody('gzip', decoded, limitBytes)
  return decoded === bytes ? fromBase64(plain) : plain
}

/** Unpacked here and not in the thread pool: a client that old sends little, and more is rejected. */
const longestLz64 = 1024 * 1024

function unpackLz(bytes: Buffer, limitBytes: number): Buffer {
  // A space is a plus sign that a form decoder took for one.
  const packed = bytes.toString('latin1').replaceAll(' ', '+')
  const unpacked = unpackLz64(packed, Math.min(limitBytes, longestLz64))
  if (unpacked.kind === 'too_large') throw analyticsError('CLEW_INGEST_TOO_LARGE')
  if (unpacked.kind === 'damaged') throw analyticsError('CLEW_INGEST_ENCODING', { details: 'not lz64, or cut off' })
  return Buffer.from(unpacked.text)
}

const jsonStart = /^\s*["{[]/

function fromBase64(bytes: Buffer): Buffer {
  const head = bytes.toString('latin1', 0, 64)
  if (head === '' || jsonStart.test(head)) return bytes
  // A space is a plus sign that a form decoder took for one.
  const text = bytes.toString('latin1').trim().replaceAll(' ', '+')
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return bytes
  const decoded = Buffer.from(text, 'base64')
  return isGzip(decoded) || jsonStart.test(decoded.toString('latin1', 0, 64)) ? decoded : bytes
}
