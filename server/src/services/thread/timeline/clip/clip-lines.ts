import { type Threads, taskModule } from '../../../../engines/threads/index.ts'
import type { Span } from '../rrweb.ts'
import type { ClipTask } from './clip-task.ts'

const task = taskModule('./clip-task', import.meta.url)
/** What is sent to the thread at once; the line that crosses the limit still belongs to it. */
const blockLength = 1024 * 1024

/** Cuts recordings, in a thread of their own: pages are unpacked and followed there. */
export function createClips(thread: Pick<Threads, 'run'>) {
  let clips = 0
  /**
   * The lines of a recording's file that lie in a stretch of it, the first of each window beginning with the page as it was
   * then.
   *
   * @param span on the server's clock, in milliseconds since 1970
   */
  return async function* clipLines(lines: AsyncIterable<string>, span: Span): AsyncGenerator<string> {
    clips += 1
    const name = String(clips)
    let block: string[] = []
    let length = 0
    const cut = async (isLast: boolean): Promise<readonly string[]> => {
      const input: ClipTask = { name, span, lines: block, isLast }
      const sizeBytes = length
      block = []
      length = 0
      return thread.run<readonly string[]>({ module: task, input, transfer: [], sizeBytes })
    }
    let isDone = false
    try {
      for await (const line of lines) {
        block.push(line)
        length += line.length
        if (length >= blockLength) yield* await cut(false)
      }
      isDone = true
      yield* await cut(true)
    } finally {
      // A reader who left early leaves nothing behind in the thread.
      if (!isDone) {
        block = []
        await cut(true).catch(() => undefined)
      }
    }
  }
}
