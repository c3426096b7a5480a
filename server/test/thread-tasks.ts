import { getPriority } from 'node:os'
import { threadId } from 'node:worker_threads'
import type { TaskOutput } from '../src/engines/threads/index.ts'

interface Input {
  readonly kind: 'bytes' | 'throw' | 'exit' | 'memory' | 'wait' | 'id' | 'priority' | 'text'
  readonly bytes: ArrayBuffer | null
  readonly stop?: Int32Array
}

/** Tasks for the pool's tests. */
export function run({ kind, bytes, stop }: Input): TaskOutput {
  switch (kind) {
    case 'bytes': {
      const more = new Uint8Array(bytes ?? new ArrayBuffer(0)).map((byte) => byte + 1)
      return { value: more.buffer, transfer: [more.buffer] }
    }
    case 'throw':
      throw new Error('not this one')
    case 'exit':
      return process.exit(1)
    case 'memory': {
      const kept: string[][] = []
      for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => `${kept.length} ${index}`))
    }
    case 'wait':
      if (stop !== undefined) Atomics.wait(stop, 0, 0)
      return { value: null, transfer: [] }
    case 'id':
      return { value: threadId, transfer: [] }
    case 'priority':
      return { value: getPriority(), transfer: [] }
    case 'text':
      return { value: 'a text', transfer: [] }
    default:
      return kind satisfies never
  }
}
