import type { TaskOutput } from '../../../engines/threads/index.ts'
import { isNestedDeeper } from '../../../ground/http/json-size.ts'
import { type ClientFrame, decodeBinary, decodeText, jsonOf, type Version } from './frames.ts'

/** A large frame, as it moves to a thread. */
export interface FrameTask {
  readonly version: Version
  readonly isBinary: boolean
  readonly bytes: ArrayBuffer
  /** How deep its JSON may nest. */
  readonly depth: number
}

/** Reads a frame in a thread; null for one that is not well formed. Its buffers come back as plain bytes. */
export function run({ version, isBinary, bytes, depth }: FrameTask): TaskOutput {
  const buffer = Buffer.from(bytes)
  const text = (isBinary ? jsonOf(buffer) : buffer).toString()
  if (isNestedDeeper(text, depth)) return { value: null, transfer: [] }
  const frame: ClientFrame | null = isBinary ? decodeBinary(buffer) : decodeText(version, text)
  return { value: frame, transfer: memoryOf(frame) }
}

/** What of a frame moves instead of being copied. */
function memoryOf(frame: ClientFrame | null): readonly ArrayBuffer[] {
  if (frame === null || frame.kind === 'message') return []
  const { buffer } = payloadOf(frame)
  return buffer instanceof ArrayBuffer ? [buffer] : []
}

function payloadOf(frame: Exclude<ClientFrame, { kind: 'message' }>): Buffer {
  if (frame.kind === 'text broadcast') return frame.payload
  return frame.kind === 'bytes' ? frame.bytes : frame.payload.bytes
}
