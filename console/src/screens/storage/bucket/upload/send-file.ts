import { readError } from '../../../../lib/api/api-error.ts'
import { contentUrl } from '../queries.ts'
import type { SendFile } from './uploads.ts'

/** Sends files to a bucket. By XMLHttpRequest, since `fetch` tells no progress of what it sends. */
export const sendTo =
  (bucketId: string): SendFile =>
  ({ key, file }, signal, onProgress) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open('PUT', contentUrl(bucketId, key, { upsert: 'false' }))
      request.setRequestHeader('content-type', file.type || 'application/octet-stream')
      request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
      request.addEventListener('load', () => {
        if (request.status < 400) resolve()
        else void readError(new Response(request.responseText, { status: request.status })).then(reject)
      })
      request.addEventListener('error', () => reject(new Error('The connection was lost.')))
      request.addEventListener('abort', () => reject(new Error('It was canceled.')))
      signal.addEventListener('abort', () => request.abort())
      request.send(file)
    })
