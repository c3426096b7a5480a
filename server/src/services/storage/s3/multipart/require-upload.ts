import { storageError } from '../../errors.ts'
import type { S3Call, S3Services } from '../call.ts'
import { s3Error } from '../errors.ts'
import { findUploadStatement, type PendingUpload, toPendingUpload, type UploadName, type UploadRow } from './store.ts'

const mostParts = 10_000

/** The upload that the query names. */
const uploadNameOf = ({ name, query }: S3Call): UploadName => ({
  ...name,
  uploadId: (query.get('uploadId') ?? '').replaceAll('\0', ''),
})

/** @throws InvalidArgument */
export function partNumberOf({ query }: S3Call): number {
  const text = query.get('partNumber') ?? ''
  const number = Number(text)
  if (!/^\d{1,5}$/.test(text) || number < 1 || number > mostParts)
    throw s3Error('InvalidArgument', { message: 'Part number must be an integer between 1 and 10000, inclusive' })
  return number
}

/**
 * The upload of a request whose caller may store its object, and the limit of all its parts.
 *
 * @throws NoSuchUpload, AccessDenied
 */
export async function requireUpload(
  { sql, uploads }: S3Services,
  call: S3Call,
): Promise<{ readonly name: UploadName; readonly upload: PendingUpload; readonly limitBytes: number }> {
  const { own } = call
  const name = uploadNameOf(call)
  const { rows } = await sql.asService<UploadRow>(own, { statement: findUploadStatement(name), readOnly: true })
  const row = rows[0]
  if (row === undefined) throw storageError('NoSuchUpload')
  const upload = toPendingUpload(row)
  const facts = { mimeType: upload.mimetype, userMetadata: upload.userMetadata, declaredBytes: null }
  const limitBytes = await uploads.admit(own, own.caller, name, facts, { upsert: true, owner: own.caller.subject })
  return { name, upload, limitBytes }
}
