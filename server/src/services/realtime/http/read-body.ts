import { TaskEnded, TasksFull, taskModule } from '../../../engines/threads/index.ts'
import { measureJson } from '../../../ground/http/json-size.ts'
import { realtimeError } from '../errors.ts'
import { type FrameReaderDeps, inline } from '../wire/read-frame.ts'
import { type BodyTask, nestedTooDeeply, readBodyText } from './body-task.ts'
import type { BroadcastLimits, HttpBroadcast } from './messages.ts'

const task = taskModule('./body-task', import.meta.url)

/** Reads the messages of a body; where `limits` is null it is a payload, of which only the form is looked at. */
export type ReadBody = (body: Buffer, limits: BroadcastLimits | null) => Promise<readonly HttpBroadcast[]>

/** Large bodies are read in a thread. @throws realtimeError */
export function createBodyReader({ threads, jsonDepth: depth }: FrameReaderDeps): ReadBody {
  const readAside = async (body: Buffer, limits: BroadcastLimits | null): Promise<readonly HttpBroadcast[]> => {
    // A copy: where the body is a payload, it goes on as it is.
    const bytes = new Uint8Array(body).buffer
    const input: BodyTask = { bytes, depth, limits }
    const messages = await threads
      .run<readonly HttpBroadcast[]>({ module: task, input, transfer: [bytes], sizeBytes: body.length })
      .catch((cause: unknown) => {
        if (cause instanceof TasksFull || cause instanceof TaskEnded) throw realtimeError('Busy', { cause })
        throw cause
      })
    return messages.map(withBuffer)
  }
  return async (body, limits) => {
    if (body.length > inline.bytes) return readAside(body, limits)
    const text = body.toString()
    const size = measureJson(text, { depth, values: inline.values })
    if (size === 'deep') throw nestedTooDeeply()
    return size === 'many' ? readAside(body, limits) : readBodyText(text, limits)
  }
}

/** A message as it was read: messages between threads carry no class. */
const withBuffer = ({ payload: { isJson, bytes }, ...message }: HttpBroadcast): HttpBroadcast => ({
  ...message,
  payload: { isJson, bytes: Buffer.from(bytes) },
})
