import { brotliDecompress, gunzip, gunzipSync, inflate } from 'node:zlib'

/** Encodings of `Content-Encoding` that are understood. */
export type ContentCoding = 'gzip' | 'deflate' | 'br'

export type Decompressed =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  /** More than the limit would have come out. */
  | { readonly kind: 'too_large' }
  /** Not what it claims to be, or cut off. */
  | { readonly kind: 'damaged' }

type Decompressor = (
  bytes: Buffer,
  options: { readonly maxOutputLength: number; readonly chunkSize: number },
  done: (error: Error | null, output: Buffer) => void,
) => void

const codings: Readonly<Record<ContentCoding, Decompressor>> = { gzip: gunzip, deflate: inflate, br: brotliDecompress }

// Below this a trip to the thread pool costs more than the work; both sizes bound what one call can block.
const inlineInputBytes = 8 * 1024
const inlineOutputBytes = 128 * 1024

/** Whether these bytes begin as gzip does (RFC 1952 §2.3.1). */
export const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/**
 * Decompresses a body, never to more than `limitBytes`: a small bomb cannot fill the memory. Large bodies are worked
 * on in the thread pool.
 */
export async function decompress(coding: ContentCoding, bytes: Buffer, limitBytes: number): Promise<Decompressed> {
  if (coding === 'gzip' && bytes.length <= inlineInputBytes) {
    const outcome = gunzipInline(bytes, Math.min(limitBytes, inlineOutputBytes))
    if (outcome.kind !== 'too_large' || limitBytes <= inlineOutputBytes) return outcome
  }
  return new Promise((resolve) => {
    codings[coding](bytes, { maxOutputLength: limitBytes, chunkSize: 64 * 1024 }, (error, output) => {
      resolve(error === null ? { kind: 'bytes', bytes: output } : failure(error))
    })
  })
}

function gunzipInline(bytes: Buffer, limitBytes: number): Decompressed {
  try {
    return { kind: 'bytes', bytes: gunzipSync(bytes, { maxOutputLength: limitBytes }) }
  } catch (error) {
    return failure(error)
  }
}

const failure = (error: unknown): Decompressed =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    ? { kind: 'too_large' }
    : { kind: 'damaged' }
