import { type Threads, taskModule } from '../../../engines/threads/index.ts'
import type { RecordingsPort } from '../ports.ts'
import type { NodeNames } from './node-names.ts'
import { type RecordingPass, type RecordingTask, run } from './recording-task.ts'
import type { Recorded } from './rrweb.ts'

export interface ReadRecordingDeps {
  /** One thread: what was read so far stays in it between two blocks. */
  readonly thread: Pick<Threads, 'run'>
  readonly messages: RecordingsPort['messages']
}

/** Reads recordings of any length; large ones beside the event loop, and never whole. */
export interface ReadRecording {
  moments(sessionId: string, options: { readonly idleGapMs: number; readonly limit: number }): Promise<Recorded>
  /** @param options `budgetBytes` of unpacked pages are looked at */
  names(sessionId: string, options: { readonly budgetBytes: number }): Promise<NodeNames>
}

const task = taskModule('./recording-task', import.meta.url)

/** A recording that is no longer, in characters of JSON, is read on the event loop: some 5 ms. */
const inlineLength = 256 * 1024
/** What is sent to the thread at once; the message that crosses the limit still belongs to it. */
const blockLength = 1024 * 1024

export function createReadRecording({ thread, messages }: ReadRecordingDeps): ReadRecording {
  let readings = 0

  async function read(sessionId: string, pass: RecordingPass): Promise<unknown> {
    readings += 1
    const reading = String(readings)
    let block: string[] = []
    let length = 0
    let isFirst = true
    const send = (isLast: boolean): Promise<unknown> => {
      const input: RecordingTask = { reading, pass, messages: block, isFirst, isLast }
      const sizeBytes = length
      isFirst = false
      block = []
      length = 0
      if (input.isFirst && isLast && sizeBytes <= inlineLength) return Promise.resolve(run(input).value)
      return thread.run({ module: task, input, transfer: [], sizeBytes })
    }
    try {
      for await (const json of messages(sessionId, { offsetMs: 0 })) {
        block.push(json)
        length += json.length
        if (length >= blockLength) await send(false)
      }
      return await send(true)
    } catch (error) {
      block = []
      // What the thread has of it is forgotten.
      if (!isFirst) send(true).catch(() => undefined)
      throw error
    }
  }

  return {
    // The task's value is the pass's.
    moments: async (sessionId, options) => (await read(sessionId, { kind: 'moments', ...options })) as Recorded,
    names: async (sessionId, options) => (await read(sessionId, { kind: 'names', ...options })) as NodeNames,
  }
}
