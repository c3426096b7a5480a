import type { DetailedError, Upload as TusUpload } from 'tus-js-client'
import { inBackground } from '../../../../lib/in-background.ts'
import { targetOf } from './interrupted/interrupted.ts'
import { uploadRecords } from './interrupted/pages.ts'
import { tusStorageOf } from './tus-storage.ts'
import type { OpenTransfer, Transfer, TransferEvents } from './upload.ts'

/** A request carries so much: few enough bytes that a slow line sends them well before a request is cut. */
const chunkBytes = 8 * 1024 * 1024

/** For five minutes without progress: as long as a restart may take. */
const retryDelays = [0, 1000, 2000, 4000, 8000, ...Array.from({ length: 19 }, () => 15_000)]

/** Transfers to a bucket by TUS (https://tus.io/protocols/resumable-upload). Large ones go on even after a reload of the page. */
export const tusTransfersTo =
  (bucketId: string): OpenTransfer =>
  ({ key, file, replaces }, events): Transfer => {
    let isWanted = false
    let opened: Promise<TusUpload> | undefined
    const open = async (): Promise<TusUpload> => {
      // Loaded with the first file, since most visits of the screen upload none.
      const { Upload } = await import('tus-js-client')
      const target = targetOf(bucketId, { key, file })
      const upload = new Upload(file, {
        endpoint: `${window.location.origin}/console/api/storage/uploads/`,
        chunkSize: chunkBytes,
        uploadDataDuringCreation: true,
        storeFingerprintForResuming: file.size > chunkBytes,
        removeFingerprintOnSuccess: true,
        fingerprint: async () => JSON.stringify(target),
        urlStorage: tusStorageOf(uploadRecords(), target),
        metadata: { bucketName: bucketId, objectName: key, contentType: file.type || 'application/octet-stream' },
        headers: { 'x-upsert': String(replaces) },
        retryDelays,
        ...callbacksOf(events),
      })
      const [earlier] = await upload.findPreviousUploads()
      if (earlier) upload.resumeFromPreviousUpload(earlier)
      return upload
    }
    return {
      start() {
        isWanted = true
        opened ??= open()
        opened.then((upload) => isWanted && upload.start()).catch((error: Error) => events.onFailed(error.message))
      },
      pause() {
        isWanted = false
        inBackground(opened?.then((upload) => upload.abort()))
      },
      cancel() {
        isWanted = false
        inBackground(opened?.then((upload) => upload.abort(true)))
      },
    }
  }

const callbacksOf = ({ onProgress, onStall, onStored, onTaken, onFailed }: TransferEvents) => ({
  onProgress: (sent: number) => onProgress(sent),
  onSuccess: () => onStored(),
  onError: (error: Error | DetailedError) => {
    if (isTaken(error)) onTaken()
    else onFailed(problemOf(error))
  },
  onShouldRetry: (error: DetailedError) => {
    const mayPass = isPassing(error)
    if (mayPass) onStall(`${problemOf(error)} It is tried again.`)
    return mayPass
  },
})

const statusOf = (error: Error | DetailedError): number =>
  'originalResponse' in error ? (error.originalResponse?.getStatus() ?? 0) : 0

/** The object was there before the upload; a later conflict is one of offsets. */
const isTaken = (error: Error | DetailedError): boolean =>
  statusOf(error) === 409 && 'originalRequest' in error && error.originalRequest.getMethod() === 'POST'

/** Whether another attempt may succeed: nothing answers, the server stops, another request holds the upload. */
function isPassing(error: DetailedError): boolean {
  const status = statusOf(error)
  return status === 0 || status >= 500 || [408, 423, 429].includes(status) || (status === 409 && !isTaken(error))
}

/** The server's own words: texts from the protocol, JSON from the console's API. */
function problemOf(error: Error | DetailedError): string {
  const text = 'originalResponse' in error ? (error.originalResponse?.getBody() ?? '') : ''
  if (text === '') return statusOf(error) === 0 ? 'The connection was lost.' : `Clew answered ${statusOf(error)}.`
  try {
    const body: unknown = JSON.parse(text)
    // The body of errors of the console's API.
    return (body as { error: { message: string } }).error.message
  } catch {
    return text.slice(0, 300)
  }
}
