import { readError, unreachable } from '../../../lib/api/api-error.ts'
import type { ImportOutcome } from '../../../lib/api/schemas.ts'

interface ImportRequest {
  readonly schema: string
  readonly table: string
  readonly columns: readonly string[]
  /** A line of JSON for each row. */
  readonly body: Blob
  readonly trial: boolean
  /** Called with the part that is read, from 0 to 1: the server reads as fast as it inserts. */
  readonly onProgress: (part: number) => void
}

/** Imports rows of a file. `fetch` does not tell how much of a body was taken. @throws ApiError */
export function sendRows({ schema, table, columns, body, trial, onProgress }: ImportRequest): Promise<ImportOutcome> {
  const query = new URLSearchParams([...columns.map((name) => ['column', name]), ['trial', String(trial)]])
  const path = [schema, table].map(encodeURIComponent).join('/')
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/console/api/data/${path}/import?${query}`)
    request.setRequestHeader('content-type', 'application/x-ndjson')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
    request.onerror = () => reject(unreachable(new Error('The connection was lost.')))
    request.onload = () => {
      const { status, responseText } = request
      if (status === 200) resolve(JSON.parse(responseText))
      else readError(new Response(responseText, { status })).then(reject, reject)
    }
    request.send(body)
  })
}
