import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** What a process uses. */
export interface Usage {
  readonly memoryBytes: number
  /** CPU time since its start. */
  readonly cpuMs: number
  /** Whether a signal holds it (SIGSTOP): it answers nothing, and uses nothing up. */
  readonly isStopped: boolean
}

const pageBytes = 4096
/** Linux counts CPU time in hundredths of a second for user space, whatever its timer. */
const tickMs = 10

/** Reads what a process uses; null when it has ended. */
export const readUsage = (pid: number): Promise<Usage | null> =>
  process.platform === 'linux' ? readProc(pid) : askPs(pid)

async function readProc(pid: number): Promise<Usage | null> {
  try {
    const [statm, stat] = await Promise.all([
      readFile(`/proc/${pid}/statm`, 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ])
    // The name of the process, in parentheses, may hold spaces; what follows does not.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    const memoryBytes = Number(statm.split(' ')[1]) * pageBytes
    return { memoryBytes, cpuMs: ticks * tickMs, isStopped: fields[0] === 'T' }
  } catch {
    return null
  }
}

async function askPs(pid: number): Promise<Usage | null> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=,time=,state=', '-p', String(pid)])
    const [memory = '', time = '', state = ''] = stdout.trim().split(/\s+/)
    const seconds = time.split(/[:-]/).reduce((sum, part) => sum * 60 + Number(part), 0)
    return { memoryBytes: Number(memory) * 1024, cpuMs: seconds * 1000, isStopped: state.startsWith('T') }
  } catch {
    return null
  }
}
