import type { Operate } from '../call.ts'
import { largestPage, nameWriter, numberOf } from '../operations/parameters.ts'
import { requireBucket } from '../operations/require-bucket.ts'
import { renderDocument } from '../xml/render.ts'
import { selectUploadsStatement } from './store.ts'

type UploadEntry = Readonly<Record<'key' | 'id' | 'created_at', string>>

/** Behind all that begins with what stands before it. */
const lastCharacter = String.fromCodePoint(0x10ffff)

export const listUploads: Operate = async (services, call) => {
  await requireBucket(services, call)
  const { own, name } = call
  const text = (parameter: string): string => (call.query.get(parameter) ?? '').replaceAll('\0', '')
  const [prefix, delimiter] = [text('prefix'), text('delimiter')]
  const maxUploads = numberOf(call, 'max-uploads', largestPage, largestPage)
  const keyMarker = text('key-marker')
  // A marker that is a folder stands for all in it.
  const isFolder = delimiter !== '' && keyMarker.endsWith(delimiter)
  const page = {
    prefix,
    keyMarker: isFolder ? `${keyMarker}${lastCharacter}` : keyMarker,
    uploadIdMarker: text('upload-id-marker'),
    limit: maxUploads + 1,
  }
  const statement = selectUploadsStatement(name.bucketId, page)
  const { rows } = await services.sql.asCaller<UploadEntry>(own, own.caller, { statement, readOnly: true })
  const entries = rows.slice(0, maxUploads)
  const folderOf = (key: string): string | null => {
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
    return end < 0 ? null : key.slice(0, end + delimiter.length)
  }
  const last = rows.length > maxUploads ? entries.at(-1) : undefined
  const write = nameWriter(call)
  return {
    status: 200,
    body: renderDocument('ListMultipartUploadsResult', {
      Bucket: name.bucketId,
      KeyMarker: write(keyMarker),
      UploadIdMarker: page.uploadIdMarker,
      NextKeyMarker: last === undefined ? undefined : write(folderOf(last.key) ?? last.key),
      NextUploadIdMarker: last === undefined ? undefined : folderOf(last.key) === null ? last.id : '',
      Prefix: write(prefix),
      Delimiter: delimiter === '' ? undefined : write(delimiter),
      MaxUploads: maxUploads,
      IsTruncated: last !== undefined,
      Upload: entries
        .filter(({ key }) => folderOf(key) === null)
        .map(({ key, id, created_at: created }) => ({ Key: write(key), UploadId: id, Initiated: created })),
      CommonPrefixes: [...new Set(entries.flatMap(({ key }) => folderOf(key) ?? []))].map((folder) => ({
        Prefix: write(folder),
      })),
    }),
  }
}
