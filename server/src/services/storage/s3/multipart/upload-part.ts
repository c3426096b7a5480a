import type { Readable } from 'node:stream'
import { storageError } from '../../errors.ts'
import type { ReceivedFile } from '../../files/file-store.ts'
import { consuming } from '../../files/receive.ts'
import { parseRange } from '../../objects/range.ts'
import { mayBeCommitted } from '../../sql/database-error.ts'
import type { Operate, S3Call, S3Services } from '../call.ts'
import { s3Error } from '../errors.ts'
import { findCopySource } from '../operations/copy-object.ts'
import { checksumHeaders } from '../operations/put-object.ts'
import { renderDocument } from '../xml/render.ts'
import { partNumberOf, requireUpload } from './require-upload.ts'
import { insertPartStatement, releaseBytesStatement, reserveBytesStatement, type UploadName } from './store.ts'

/** Largest part of the protocol. */
const largestPartBytes = 5 * 1024 ** 3

export const uploadPart: Operate = async (services, call) => {
  const partNumber = partNumberOf(call)
  if (call.sizeBytes === null) throw s3Error('MissingContentLength')
  const { name, limitBytes } = await requireUpload(services, call)
  const body = call.body()
  const file = await storePart(services, call, name, partNumber, {
    sizeBytes: call.sizeBytes,
    limitBytes,
    receive: (put) => put(body.stream),
  })
  return { status: 200, headers: { etag: file.etag, ...checksumHeaders(body) } }
}

export const uploadPartCopy: Operate = async (services, call) => {
  const partNumber = partNumberOf(call)
  const { name, limitBytes } = await requireUpload(services, call)
  const source = await findCopySource(services, call)
  const size = source.metadata.size ?? 0
  const range = rangeOf(call.headers['x-amz-copy-source-range'], size)
  const file = await storePart(services, call, name, partNumber, {
    sizeBytes: range === null ? size : range.end - range.start + 1,
    limitBytes,
    receive: async (put) => consuming(await services.reads.open(source, range), put),
  })
  return {
    status: 200,
    body: renderDocument('CopyPartResult', { ETag: file.etag, LastModified: source.metadata.lastModified }),
  }
}

/** @throws InvalidRange with the status 400 that the protocol gives it here */
function rangeOf(header: string | undefined, size: number) {
  if (header === undefined) return null
  const refused = () => s3Error('InvalidRange')
  if (!/^bytes=\d+-\d+$/.test(header)) throw refused()
  try {
    return parseRange(header, size)
  } catch {
    throw refused()
  }
}

interface Part {
  readonly sizeBytes: number
  /** Of all parts together. */
  readonly limitBytes: number
  /** Hands its bytes on. */
  readonly receive: (put: (body: Readable) => Promise<ReceivedFile>) => Promise<ReceivedFile>
}

/** Stores a part: its bytes are counted first, then received, then it takes the place of an earlier one of its number. */
async function storePart(
  { sql, files, newId }: S3Services,
  { own }: S3Call,
  name: UploadName,
  partNumber: number,
  { sizeBytes, limitBytes, receive }: Part,
): Promise<{ readonly etag: string }> {
  if (sizeBytes > largestPartBytes) throw storageError('EntityTooLarge')
  const reserved = await sql.asService<{ allowed: string }>(own, {
    statement: reserveBytesStatement(name, sizeBytes, limitBytes),
  })
  const { allowed } = reserved.rows[0] ?? {}
  if (allowed === undefined) throw storageError('NoSuchUpload')
  if (allowed !== 'true') throw storageError('EntityTooLarge')
  const version = newId()
  let isStored = false
  try {
    const { signal } = own.context
    const file = await receive((body) => files.put(version, body, { limitBytes: sizeBytes, signal }))
    isStored = true
    // Of the bytes, whatever the store calls them: that of the whole object is made of those of its parts.
    const etag = `"${file.md5}"`
    const part = { ...name, partNumber, sizeBytes: file.sizeBytes, etag, version, owner: own.caller.subject }
    const { rows } = await sql.asService<{ version: string }>(own, { statement: insertPartStatement(part) })
    await files.remove(rows.map((row) => row.version))
    return { etag }
  } catch (error) {
    // A row that may be there keeps its file; without the row, the sweeper takes it.
    if (!isStored || !mayBeCommitted(error)) await files.remove([version])
    await sql.asService(own, { statement: releaseBytesStatement(name, sizeBytes) })
    throw error
  }
}
