import { createHash } from 'node:crypto'
import { storageError } from '../../errors.ts'
import { FileError } from '../../files/errors.ts'
import type { Operate, S3Call, S3Services } from '../call.ts'
import { s3Error } from '../errors.ts'
import { childrenOf, type Element, textOf } from '../xml/parse.ts'
import { renderDocument } from '../xml/render.ts'
import { requireUpload } from './require-upload.ts'
import { deleteUploadStatement, type PartRow, selectPartsStatement } from './store.ts'

export const completeUpload: Operate = async (services, call) => {
  const { sql, files, uploads } = services
  const { own } = call
  const root = await call.document()
  const { name, upload } = await requireUpload(services, call)
  const stored = await sql.asService<PartRow>(own, { statement: selectPartsStatement(name.uploadId), readOnly: true })
  const parts = root === null ? stored.rows : chosenParts(root, stored.rows, name.uploadId)
  if (parts.length === 0)
    throw s3Error('MissingPart', { message: `No part was uploaded for upload id ${name.uploadId}` })
  if (parts.slice(0, -1).some(({ size }) => Number(size) < services.minPartBytes)) throw s3Error('EntityTooSmall')
  // An id of its own: two attempts to complete one upload must not remove each other's file.
  const version = services.newId()
  const file = { sizeBytes: await joinParts(services, parts, version), etag: etagOf(parts) }
  const facts = {
    mimeType: upload.mimetype,
    cacheControl: upload.cacheControl,
    userMetadata: upload.userMetadata,
    robotsTag: null,
  }
  await uploads.commit(own, call.name, { version, file }, facts, { upsert: true, owner: upload.owner })
  const deleted = await sql.asService<{ version: string | null }>(own, { statement: deleteUploadStatement(name) })
  await files.remove(deleted.rows.flatMap(({ version }) => version ?? []))
  return {
    status: 200,
    body: renderDocument('CompleteMultipartUploadResult', {
      Location: locationOf(call),
      Bucket: name.bucketId,
      Key: name.key,
      ETag: file.etag,
    }),
  }
}

/** @throws NoSuchUpload when another request has completed or aborted the upload meanwhile */
async function joinParts({ files }: S3Services, parts: readonly PartRow[], version: string): Promise<number> {
  try {
    return await files.join(
      parts.map((part) => part.version),
      version,
    )
  } catch (error) {
    throw error instanceof FileError && error.code === 'FileMissing'
      ? storageError('NoSuchUpload', { cause: error })
      : error
  }
}

/**
 * The parts that the client names, in its order.
 *
 * @throws MalformedXML, MissingPart for one that is not stored, or with another ETag
 */
function chosenParts(root: Element, stored: readonly PartRow[], uploadId: string): readonly PartRow[] {
  if (root.name !== 'CompleteMultipartUpload') throw s3Error('MalformedXML')
  const byNumber = new Map(stored.map((part) => [Number(part.part_number), part]))
  let before = 0
  return childrenOf(root, 'Part').map((element) => {
    const number = Number(textOf(element, 'PartNumber'))
    if (!Number.isInteger(number) || number <= before)
      throw s3Error('InvalidArgument', { message: 'The list of parts was not in ascending order' })
    before = number
    const part = byNumber.get(number)
    const etag = textOf(element, 'ETag')
    if (part === undefined || (etag !== undefined && unquoted(etag) !== unquoted(part.etag)))
      throw s3Error('MissingPart', { message: `Part ${number} is missing for upload id ${uploadId}` })
    return part
  })
}

const unquoted = (etag: string): string => etag.replace(/^"|"$/g, '')

/** As Amazon computes it: the MD5 of the parts’ MD5s, and their number. */
function etagOf(parts: readonly PartRow[]): string {
  const hash = createHash('md5')
  for (const { etag } of parts) hash.update(unquoted(etag), 'hex')
  return `"${hash.digest('hex')}-${parts.length}"`
}

const locationOf = ({ own, headers }: S3Call): string => `http://${headers.host ?? ''}${own.context.path}`
