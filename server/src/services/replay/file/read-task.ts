import { movable, type TaskOutput } from '../../../engines/threads/index.ts'
import { longestMessage, unpackLine } from '../ingest/unpack.ts'
import { type FileMessage, readMessageLine } from './message-line.ts'

/** Lines of a file, to be read beside the event loop. */
export interface ReadTask {
  readonly sessionId: string
  readonly jsonDepth: number
  readonly lines: readonly ArrayBuffer[]
}

/** A message, its line as memory that moves. */
export type ReadMessage = Omit<FileMessage, 'line'> & { readonly line: ArrayBuffer }

/** @throws CLEW_REPLAY_FILE_FORM */
export function run({ sessionId, jsonDepth, lines }: ReadTask): TaskOutput {
  const value: readonly ReadMessage[] = lines.map((line) => {
    const message = readMessageLine(Buffer.from(line), sessionId, jsonDepth)
    return { ...message, line: movable(unpackLine(message.line, longestMessage)) }
  })
  return { value, transfer: value.map(({ line }) => line) }
}
