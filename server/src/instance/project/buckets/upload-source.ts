import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { contentTypeOf } from './content-type.ts'

/** What is uploaded to storage. */
export interface UploadSource {
  /** Called for each attempt. */
  readonly open: () => Readable
  /** Null where it is not known beforehand. */
  readonly sizeBytes: number | null
  readonly contentType: string
  readonly cacheControl: string
  /** Whether an object of the name is replaced. */
  readonly overwrites: boolean
}

/** How a file is uploaded. */
export interface FileUploadOptions {
  /** The type of its name or its content by default. */
  readonly contentType?: string
  readonly cacheControl?: string
  readonly overwrites: boolean
  /** Called with the bytes of each piece. */
  readonly moved?: (bytes: number) => void
}

/** As the Supabase CLI and storage-js have it. */
const defaultCacheControl = 'max-age=3600'

/** A file of this machine, to be uploaded. */
export async function uploadSourceOf(path: string, options: FileUploadOptions): Promise<UploadSource> {
  const { contentType, cacheControl = defaultCacheControl, overwrites, moved } = options
  const { size } = await stat(path)
  return {
    open: () => {
      // The length is announced: what a file that grows has beyond it is left for its next upload.
      const stream = createReadStream(path, { end: Math.max(0, size - 1) })
      if (moved !== undefined) stream.on('data', (piece) => moved(piece.length))
      return stream
    },
    sizeBytes: size,
    contentType: contentType ?? (await contentTypeOf(path)),
    cacheControl,
    overwrites,
  }
}
