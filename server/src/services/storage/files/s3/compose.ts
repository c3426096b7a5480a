import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { inParallel } from '../../../../ground/limits/in-parallel.ts'
import type { ByteRange } from '../file-store.ts'
import { concatenated } from '../receive.ts'

/** An object, or some of it. */
export interface Piece extends ByteRange {
  readonly key: string
  /** Of the whole object. */
  readonly sizeBytes: number
}

const mib = 1024 * 1024
/** The protocol’s bounds: of each part but the last, of a part, and of their number. */
const leastPartBytes = 5 * mib
const mostPartBytes = 5 * 1024 * mib
const mostParts = 10_000
const jobs = 4

const bytesOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { start, end }) => sum + end - start + 1, 0)

/**
 * The parts of an object that is made of others: each is a piece, which the server copies, or pieces too short for that,
 * which are read and sent.
 */
export function planParts(
  sources: readonly { readonly key: string; readonly sizeBytes: number }[],
): readonly (readonly Piece[])[] {
  const total = sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const least = Math.max(leastPartBytes, Math.ceil(total / (mostParts - 1)))
  const parts: (readonly Piece[])[] = []
  let short: Piece[] = []
  let shortBytes = 0
  for (const source of sources)
    for (let start = 0; start < source.sizeBytes; ) {
      const left = source.sizeBytes - start
      const missing = least - shortBytes
      const isCopied = short.length === 0 && left >= least
      const taken = isCopied ? Math.min(left, mostPartBytes) : Math.min(left, missing)
      short.push({ ...source, start, end: start + taken - 1 })
      start += taken
      shortBytes += taken
      if (shortBytes < least) continue
      parts.push(short)
      short = []
      shortBytes = 0
    }
  return short.length === 0 ? parts : [...parts, short]
}

/** What `compose` needs of the bucket. */
export interface ComposedIn {
  readonly client: S3Client
  readonly bucket: string
  readonly get: (key: string, range: ByteRange) => Promise<Readable>
}

const sourceOf = (bucket: string, key: string): string => encodeURI(`${bucket}/${key}`)

/**
 * Makes an object of the parts that `planParts` has found, at least one; what is long enough is copied by the server.
 *
 * @returns the entity tag
 * @throws  the SDK’s errors, `NotImplemented` where the server copies no parts
 */
export async function compose(
  { client, bucket, get }: ComposedIn,
  key: string,
  parts: readonly (readonly Piece[])[],
): Promise<string | null> {
  const [[whole] = []] = parts
  const target = { Bucket: bucket, Key: key }
  if (parts.length === 1 && whole !== undefined && bytesOf(parts[0] ?? []) === whole.sizeBytes) {
    const copied = await client.send(new CopyObjectCommand({ ...target, CopySource: sourceOf(bucket, whole.key) }))
    return copied.CopyObjectResult?.ETag ?? null
  }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target))
  const upload = { ...target, UploadId }
  const store = async (pieces: readonly Piece[], number: number): Promise<string | undefined> => {
    const [piece] = pieces
    if (pieces.length > 1 || piece === undefined) {
      const body = await buffer(concatenated(pieces.map((each) => () => get(each.key, each))))
      return (await client.send(new UploadPartCommand({ ...upload, PartNumber: number, Body: body }))).ETag
    }
    const range = `bytes=${piece.start}-${piece.end}`
    const copied = await client.send(
      new UploadPartCopyCommand({
        ...upload,
        PartNumber: number,
        CopySource: sourceOf(bucket, piece.key),
        CopySourceRange: range,
      }),
    )
    return copied.CopyPartResult?.ETag
  }
  try {
    const done: CompletedPart[] = []
    await inParallel(parts.entries(), jobs, async ([index, pieces]) => {
      done[index] = { PartNumber: index + 1, ETag: await store(pieces, index + 1) }
    })
    const { ETag } = await client.send(
      new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: done } }),
    )
    return ETag ?? null
  } catch (error) {
    // What is not ended here the bucket’s own rule ends: the first failure is the one to tell.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined)
    throw error
  }
}
