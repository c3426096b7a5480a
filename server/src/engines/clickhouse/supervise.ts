import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** How a supervised process is now. */
export type ChildState =
  | { readonly kind: 'starting'; readonly pid: number | null; readonly problem: string | null }
  | { readonly kind: 'up'; readonly pid: number }
  | { readonly kind: 'closed' }

/** A child process that is started again when it dies. */
export interface Supervised {
  state(): ChildState
  /** Resolves when the child serves. Rejects when it is closed, or has not come up within `limitMs`. */
  up(limitMs: number): Promise<void>
  /** The same, after its socket refused a connection: a child that is thought to serve is waited out first. */
  upAgain(limitMs: number): Promise<void>
  /** Asks the child to finish its work and end; kills it when it has not done so within `graceMs`. */
  close(graceMs: number): Promise<void>
}

export interface SuperviseOptions {
  /** The child's entry, without its extension: `.ts` under a loader, `.js` when compiled, as this file is. */
  readonly entry: string
  readonly argument: string
  /** Flags of the Node process. */
  readonly flags: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly log: (line: string) => void
}

const firstPauseMs = 100
const longestPauseMs = 10_000

/**
 * Keeps one Node process running. It says `ready` on its channel when it serves, and ends when the channel closes.
 * A child that dies is started again at once the first time, then after growing pauses.
 */
export function supervise(options: SuperviseOptions): Supervised {
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
  const file = fileURLToPath(new URL(`${options.entry}${extension}`, import.meta.url))
  const loader = extension === '.ts' ? ['--import', import.meta.resolve('tsx')] : []
  let state: ChildState = { kind: 'starting', pid: null, problem: null }
  let child: ChildProcess | null = null
  let timer: NodeJS.Timeout | null = null
  let pauseMs = 0
  const waiters = new Set<() => void>()
  const become = (next: ChildState): void => {
    state = next
    for (const waiter of [...waiters]) waiter()
  }

  const start = (): void => {
    timer = null
    const started = spawn(process.execPath, [...options.flags, ...loader, file, options.argument], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, ...options.environment },
    })
    child = started
    let lastLine = ''
    const problem = state.kind === 'starting' ? state.problem : null
    become({ kind: 'starting', pid: started.pid ?? null, problem })
    for (const stream of [started.stdout, started.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        for (const line of text.split('\n').filter((part) => part.trim() !== '')) {
          // The engine's own words say more than the library's, which come after them.
          if (/DB::Exception/.test(line) || (lastLine === '' && /Error:/.test(line))) lastLine = line.trim()
          options.log(line)
        }
      })
    }
    started.once('message', () => {
      pauseMs = 0
      become({ kind: 'up', pid: started.pid ?? 0 })
    })
    started.once('error', (error) => {
      lastLine = error.message
    })
    started.once('exit', (code, signal) => {
      if (child === started) child = null
      if (state.kind === 'closed') return
      const ended = signal === null ? `ended with code ${code}` : `was ended by ${signal}`
      options.log(`The process ${ended}; it is started again in ${pauseMs} ms.`)
      become({ kind: 'starting', pid: null, problem: lastLine === '' ? `The process ${ended}.` : lastLine })
      timer = setTimeout(start, pauseMs)
      pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, pauseMs * 2))
    })
  }
  start()

  /** Resolves true when `holds` does, false when it has not within `limitMs`. */
  const until = (holds: () => boolean, limitMs: number): Promise<boolean> =>
    new Promise((resolve) => {
      const settle = (): void => {
        clearTimeout(limit)
        waiters.delete(look)
        resolve(holds())
      }
      const look = (): void => {
        if (holds()) settle()
      }
      const limit = setTimeout(settle, limitMs)
      waiters.add(look)
      look()
    })
  const serving = async (limitMs: number): Promise<void> => {
    await until(() => state.kind !== 'starting', limitMs)
    if (state.kind !== 'up') throw new Error(reason(state))
  }

  return {
    state: () => state,
    up: serving,
    async upAgain(limitMs) {
      await until(() => state.kind !== 'up', limitMs)
      await serving(limitMs)
    },
    async close(graceMs) {
      become({ kind: 'closed' })
      if (timer !== null) clearTimeout(timer)
      const ending = child
      if (ending === null) return
      const ended = new Promise((resolve) => ending.once('exit', resolve))
      // Not a signal: the child ignores those, which may be meant for the parent.
      if (ending.connected) ending.disconnect()
      else ending.kill('SIGKILL')
      const limit = setTimeout(() => ending.kill('SIGKILL'), graceMs)
      await ended
      clearTimeout(limit)
    },
  }
}

function reason(state: ChildState): string {
  if (state.kind === 'starting') return `The engine is not up yet. ${state.problem ?? ''}`.trim()
  return 'The engine is closed.'
}
