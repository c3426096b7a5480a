import { queryOptions } from '@tanstack/react-query'
import type { Upload } from '../upload.ts'
import { otherOpenPages, uploadRecords } from './pages.ts'
import type { UploadRecord, UploadTarget } from './upload-records.ts'

/** An upload that no page sends, and what the server has of it. */
export interface InterruptedUpload extends UploadRecord {
  readonly sentBytes: number
}

/** The uploads to a bucket that this browser began in a page that is gone. */
export const interruptedQuery = (bucketId: string) =>
  queryOptions({
    queryKey: ['interrupted-uploads', bucketId],
    queryFn: async ({ signal }): Promise<readonly InterruptedUpload[]> => {
      const records = uploadRecords().list()
      if (records.length === 0) return []
      const open = await otherOpenPages()
      const left = records.filter((record) => record.bucketId === bucketId && !open.has(record.pageId))
      return (await Promise.all(left.map((record) => describe(record, signal)))).flat()
    },
    staleTime: 0,
  })

/** Asks the server how much it has; forgets an upload that it has no more. */
async function describe(record: UploadRecord, signal: AbortSignal): Promise<readonly InterruptedUpload[]> {
  const { status, headers } = await ask(record, 'HEAD', signal)
  if (isGone(status)) uploadRecords().remove(record.id)
  const sentBytes = Number(headers.get('upload-offset') ?? Number.NaN)
  return status === 200 && Number.isSafeInteger(sentBytes) ? [{ ...record, sentBytes }] : []
}

/** Removes what the server has of an upload, and forgets it. */
export async function discard(record: UploadRecord): Promise<void> {
  const { ok, status } = await ask(record, 'DELETE')
  if (!ok && !isGone(status)) throw new Error(`Clew answered ${status}.`)
  uploadRecords().remove(record.id)
}

/** TUS 1.0.0 (https://tus.io/protocols/resumable-upload), at this console's address only: what the browser kept may name another. */
function ask({ url }: UploadRecord, method: 'HEAD' | 'DELETE', signal?: AbortSignal): Promise<Response> {
  const address = new URL(new URL(url).pathname, window.location.origin)
  return fetch(new Request(address, { method, headers: { 'tus-resumable': '1.0.0' }, signal: signal ?? null }))
}

/** Expired, ended, or removed. */
const isGone = (status: number): boolean => status === 404 || status === 410

/** What an upload of a file would go on with. */
export const targetOf = (bucketId: string, { key, file }: Pick<Upload, 'key' | 'file'>): UploadTarget => ({
  bucketId,
  key,
  sizeBytes: file.size,
  lastModified: file.lastModified,
})

/** Whether a file is the one that an upload began with, as far as a browser tells. */
export const isSameFile = ({ sizeBytes, lastModified }: UploadTarget, file: File): boolean =>
  sizeBytes === file.size && lastModified === file.lastModified
