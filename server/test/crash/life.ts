import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { compiled } from '../compiled.ts'

/** A process that takes requests until it is killed. */
export interface Life {
  readonly child: ChildProcess
  readonly address: string
}

/** Starts a process of this folder; resolves when it takes requests. */
export async function live(entry: string, folder: string): Promise<Life> {
  const child = fork(compiled(entry), [folder], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4_000)
  })
  const message: unknown = await Promise.race([
    once(child, 'message').then(([first]) => first),
    once(child, 'exit').then(([code]) => {
      throw new Error(`The process ended with ${code} before it took requests:\n${output}`)
    }),
  ])
  return { child, address: (message as { address: string }).address }
}

/** Kills it, and resolves when it is gone. */
export async function kill({ child }: Life): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
