import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { addNicenessOf } from '../threads/index.ts'

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
  /** As `up`, after its socket refused a connection: waits until a child that counts as up has ended. */
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
  /** How much lower its priority is than this process's. */
  readonly niceness: number
  readonly environment: Readonly<Record<string, string>>
  readonly log: (line: string) => void
}

const firstPauseMs = 100
const longestPauseMs = 10_000
const isSource = import.meta.url.endsWith('.ts')

/**
 * Keeps one Node process running. It says `ready` on its channel when it serves, and ends when the channel closes.
 * A child that dies is started again at once the first time, then after growing pauses.
 */
export function supervise(options: SuperviseOptions): Supervised {
  const status = createStatus()
  let child: ChildProcess | null = null
  let timer: NodeJS.Timeout | null = null
  let pauseMs = 0

  const start = (): void => {
    timer = null
    const started = spawnNode(options)
    child = started
    const before = status.state()
    const problem = before.kind === 'starting' ? before.problem : null
    status.become({ kind: 'starting', pid: started.pid ?? null, problem })
    const complaint = readOutput(started, options.log)
    started.once('message', () => {
      pauseMs = 0
      status.become({ kind: 'up', pid: started.pid ?? 0 })
    })
    started.once('exit', (code, signal) => {
      if (child === started) child = null
      if (status.state().kind === 'closed') return
      const ended = signal === null ? `ended with code ${code}` : `was ended by ${signal}`
      options.log(`The process ${ended}; it is started again in ${pauseMs} ms.`)
      status.become({ kind: 'starting', pid: null, problem: complaint() ?? `The process ${ended}.` })
      timer = setTimeout(start, pauseMs)
      pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, pauseMs * 2))
    })
  }
  start()

  const serving = async (limitMs: number): Promise<void> => {
    await status.until(({ kind }) => kind !== 'starting', limitMs)
    const now = status.state()
    if (now.kind !== 'up') throw new Error(reasonOf(now))
  }

  return {
    state: status.state,
    up: serving,
    async upAgain(limitMs) {
      await status.until(({ kind }) => kind !== 'up', limitMs)
      await serving(limitMs)
    },
    async close(graceMs) {
      status.become({ kind: 'closed' })
      if (timer !== null) clearTimeout(timer)
      if (child !== null) await end(child, graceMs)
    },
  }
}

/** The state, and callers that wait for it to change. */
function createStatus() {
  let state: ChildState = { kind: 'starting', pid: null, problem: null }
  const waiters = new Set<() => void>()
  return {
    state: (): ChildState => state,
    become(next: ChildState): void {
      state = next
      for (const waiter of [...waiters]) waiter()
    },
    /** Resolves when `holds` is true of the state, or after `limitMs`. */
    until: (holds: (state: ChildState) => boolean, limitMs: number): Promise<void> =>
      new Promise((resolve) => {
        const settle = (): void => {
          clearTimeout(limit)
          waiters.delete(look)
          resolve()
        }
        const look = (): void => {
          if (holds(state)) settle()
        }
        const limit = setTimeout(settle, limitMs)
        waiters.add(look)
        look()
      }),
  }
}

function spawnNode({ entry, argument, flags, niceness, environment }: SuperviseOptions): ChildProcess {
  const file = fileURLToPath(new URL(`${entry}${isSource ? '.ts' : '.js'}`, import.meta.url))
  const loader = isSource ? ['--import', import.meta.resolve('tsx')] : []
  const child = spawn(process.execPath, [...flags, ...loader, file, argument], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...environment },
  })
  // Before it has a second thread: those that a thread starts have its priority.
  if (child.pid !== undefined) addNicenessOf(child.pid, niceness)
  return child
}

/** Logs what a child prints. @returns the line that says best why it failed; null when there is none */
function readOutput(child: ChildProcess, log: (line: string) => void): () => string | null {
  let complaint: string | null = null
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n').filter((part) => part.trim() !== '')) {
        // The engine's own words say more than the library's, which come after them.
        if (/DB::Exception/.test(line) || (complaint === null && /Error:/.test(line))) complaint = line.trim()
        log(line)
      }
    })
  }
  child.once('error', (error) => {
    complaint = error.message
  })
  return () => complaint
}

/** Asks a child to end and waits until it has. */
async function end(child: ChildProcess, graceMs: number): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  // Not a signal: the child ignores those, which may be meant for the parent.
  if (child.connected) child.disconnect()
  else child.kill('SIGKILL')
  const limit = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await ended
  clearTimeout(limit)
}

function reasonOf(state: ChildState): string {
  if (state.kind === 'starting') return `The engine is not up yet. ${state.problem ?? ''}`.trim()
  return 'The engine is closed.'
}
