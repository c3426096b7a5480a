import { movable, type Threads, taskModule } from '../../../engines/threads/index.ts'
import { mayBePacked } from './unpack.ts'

const task = taskModule('./unpack-task', import.meta.url)

/**
 * Unpacks what browsers packed in lines of `snapshots`, in a thread.
 *
 * @param blocks of one line or several, with a newline between them; themselves where nothing in them is packed
 */
export async function unpackLines(
  threads: Pick<Threads, 'run'>,
  blocks: readonly Buffer[],
): Promise<readonly Buffer[]> {
  if (!blocks.some(mayBePacked)) return blocks
  const input = movable(Buffer.concat(blocks.flatMap((block, index) => (index === 0 ? [block] : [newline, block]))))
  const sizeBytes = input.byteLength
  return [Buffer.from(await threads.run<ArrayBuffer>({ module: task, input, transfer: [input], sizeBytes }))]
}

const newline = Buffer.from('\n')
