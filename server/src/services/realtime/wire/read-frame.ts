import { movable, type Threads, taskModule } from '../../../engines/threads/index.ts'
import { measureJson } from '../../../ground/http/json-size.ts'
import type { FrameTask } from './frame-task.ts'
import { type ClientFrame, decodeBinary, decodeText, jsonOf, type Version } from './frames.ts'

/** The dependencies of `createFrameReader`. */
export interface FrameReaderDeps {
  readonly threads: Pick<Threads, 'run'>
  /** How deep the JSON of a frame may nest. */
  readonly jsonDepth: number
}

/** Reads a frame; null for one that is not well formed. @throws what `Threads.run` does, where it returns a promise */
export type ReadFrame = (
  version: Version,
  bytes: Buffer,
  isBinary: boolean,
) => ClientFrame | null | Promise<ClientFrame | null>

/** What is read on the event loop, in some 20 ms at worst, whatever it holds; what is larger, or has more values, in a thread. */
export const inline = { bytes: 256 * 1024, values: 10_000 } as const
const task = taskModule('./frame-task', import.meta.url)

export function createFrameReader({ threads, jsonDepth: depth }: FrameReaderDeps): ReadFrame {
  const readAside = async (version: Version, isBinary: boolean, frame: Buffer): Promise<ClientFrame | null> => {
    const bytes = movable(frame)
    const sizeBytes = bytes.byteLength
    const input: FrameTask = { version, isBinary, bytes, depth }
    const read = await threads.run<ClientFrame | null>({ module: task, input, transfer: [bytes], sizeBytes })
    return read === null ? null : withBuffers(read)
  }
  return (version, bytes, isBinary) => {
    if (bytes.length > inline.bytes) return readAside(version, isBinary, bytes)
    const text = (isBinary ? jsonOf(bytes) : bytes).toString()
    const size = measureJson(text, { depth, values: inline.values })
    if (size === 'deep') return null
    if (size === 'many') return readAside(version, isBinary, bytes)
    return isBinary ? decodeBinary(bytes) : decodeText(version, text)
  }
}

/** A frame as it was read: messages between threads carry no class. */
function withBuffers(frame: ClientFrame): ClientFrame {
  switch (frame.kind) {
    case 'message':
      return frame
    case 'text broadcast':
      return { ...frame, payload: bufferOf(frame.payload) }
    case 'user broadcast':
      return { ...frame, payload: { ...frame.payload, bytes: bufferOf(frame.payload.bytes) } }
    case 'bytes':
      return { ...frame, bytes: bufferOf(frame.bytes) }
    default:
      return frame satisfies never
  }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)
