import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs this process's command line once more, in a session of its own, where Linux shares a processor between sessions before it
 * asks for priorities (sched(7), "The autogroup feature"). In the session of a terminal, or of the server itself, a command
 * with the lowest priority takes as much from PostgreSQL's processes as the server does.
 *
 * It has this one's input and output, gets its signals, and ends with it, however this one ends.
 *
 * @returns its exit code; null where this process is to do the work: it has such a session, or the system has no such thing
 */
export async function runInOwnSession(): Promise<number | null> {
  if (!sessionsShare() || leadsSession()) {
    endWithParent()
    return null
  }
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    detached: true,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal)
  for (const signal of forwarded) process.on(signal, forward)
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  for (const each of forwarded) process.off(each, forward)
  // Who waits for this process sees how it ended.
  if (signal !== null) process.kill(process.pid, signal)
  return code ?? 1
}

/** Whether this process is the first of its session. */
export function leadsSession(): boolean {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  // The name of the program may hold spaces; behind it come its state, its parent, its group, and its session.
  const [, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(session) === process.pid
}

function sessionsShare(): boolean {
  try {
    return readFileSync('/proc/sys/kernel/sched_autogroup_enabled', 'utf8').trim() === '1'
  } catch {
    return false
  }
}

/** Ends when the process goes that has begun this one as `runInOwnSession` does. */
function endWithParent(): void {
  if (process.channel === undefined) return
  process.once('disconnect', () => process.exit(1))
  // A process that has nothing else to do may end.
  process.channel.unref()
}
