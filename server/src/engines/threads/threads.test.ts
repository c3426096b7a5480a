import { getPriority } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import { createThreads, TaskEnded, TasksFull, type Threads, type ThreadsOptions, taskModule } from './threads.ts'

const opened: Threads[] = []
afterEach(async () => {
  for (const threads of opened.splice(0)) await threads.close()
})

function open(options: ThreadsOptions = {}) {
  const threads = createThreads({ threads: 1, ...options })
  opened.push(threads)
  const module = taskModule('../../../test/thread-tasks', import.meta.url)
  return <Value>(input: object, bytes: ArrayBuffer | null = null) =>
    threads.run<Value>({ module, input: { ...input, bytes }, transfer: bytes === null ? [] : [bytes], sizeBytes: 10 })
}

describe('threads', () => {
  test('bytes move to a task and back, and are copied neither way', async () => {
    const run = open()
    const bytes = new Uint8Array([1, 2, 3]).buffer
    const back = await run<ArrayBuffer>({ kind: 'bytes' }, bytes)
    expect(bytes.byteLength).toBe(0)
    expect([...new Uint8Array(back)]).toEqual([2, 3, 4])
  })

  test('a task’s error is its caller’s', async () => {
    await expect(open()({ kind: 'throw' })).rejects.toThrow('not this one')
  })

  test('a thread that ends, or needs too much memory, takes its task with it and no other', async () => {
    const run = open({ heapMiB: 64 })
    const ended = run({ kind: 'exit' })
    const next = run<string>({ kind: 'text' })
    await expect(ended).rejects.toBeInstanceOf(TaskEnded)
    expect(await next).toBe('a text')
    await expect(run({ kind: 'memory' })).rejects.toMatchObject({ name: 'TaskEnded', isOutOfMemory: true })
    expect(await run({ kind: 'text' })).toBe('a text')
  })

  test('what waits is bounded, and the event loop goes on meanwhile', async () => {
    const run = open({ waitingBytes: 15 })
    const stop = new Int32Array(new SharedArrayBuffer(4))
    const under = run({ kind: 'wait', stop })
    const waits = run<string>({ kind: 'text' })
    await expect(run({ kind: 'text' })).rejects.toBeInstanceOf(TasksFull)
    // The thread stands still until this one, which does not, lets it go.
    Atomics.store(stop, 0, 1)
    Atomics.notify(stop, 0)
    await under
    expect(await waits).toBe('a text')
  })

  test('a thread without work ends, and the next task begins another', async () => {
    const run = open({ idleMs: 0 })
    const first = await run<number>({ kind: 'id' })
    await expect.poll(() => run<number>({ kind: 'id' })).not.toBe(first)
  })

  test.runIf(process.platform === 'linux')('a thread has a lower priority than the event loop', async () => {
    expect(await open()<number>({ kind: 'priority' })).toBeGreaterThan(getPriority())
  })

  test('a closed pool takes nothing, and leaves no task waiting', async () => {
    const threads = createThreads({ threads: 1 })
    const task = { module: taskModule('../../../test/thread-tasks', import.meta.url), transfer: [], sizeBytes: 1 }
    const stop = new Int32Array(new SharedArrayBuffer(4))
    const tasks = [
      threads.run({ ...task, input: { kind: 'wait', stop } }),
      threads.run({ ...task, input: { kind: 'id' } }),
    ]
    const outcomes = Promise.allSettled(tasks)
    await threads.close()
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { name: 'TaskEnded' } })
    await expect(threads.run({ ...task, input: {} })).rejects.toBeInstanceOf(TaskEnded)
  })
})
