import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { run, until } from '../e2e/support/product.ts'

/** One process of a running product. */
export interface ProcessMemory {
  readonly pid: number
  readonly command: string
  /** Proportional set size: shared pages are counted once, divided among those who share them. */
  readonly pssMiB: number
}

/** The memory of a process and everything below it (Linux). */
export function memoryOf(rootPid: number): readonly ProcessMemory[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const stat = read(`/proc/${name}/stat`)
    if (stat !== null) parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
  }
  const isBelow = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at))
      if (at === rootPid) return true
    return false
  }
  return [...parents.keys()].filter(isBelow).flatMap((pid) => {
    const pss = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '')?.[1]
    const command = (read(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ').trim()
    return pss === undefined ? [] : [{ pid, command, pssMiB: Number(pss) / 1024 }]
  })
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** Starts a floor, a program that prints its port when it listens. */
export async function startFloor(
  script: string,
  args: readonly string[],
): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())))
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}.`)))
  })
  return { child, port }
}

/** Node counts from one turn of a timer to the next, which are as far apart when nothing delays them. */
const betweenTurnsMs = 10

/** How late the event loop was, in milliseconds: the 99th percentile since it was asked last. */
export async function eventLoopDelayMs(dataDir: string): Promise<number> {
  const { stdout: metrics } = await run(['metrics', '--data', dataDir])
  const seconds = Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(metrics)?.[1] ?? Number.NaN)
  return Math.max(0, seconds * 1000 - betweenTurnsMs)
}

/** Resolves when what was captured is stored: it is, else, during what is measured next. */
export async function stored(dataDir: string): Promise<void> {
  const isStored = async (): Promise<boolean> => {
    const { stdout: metrics } = await run(['metrics', '--data', dataDir])
    return /^clew_spool_waiting_bytes 0$/m.test(metrics)
  }
  await until(isStored, 300_000)
}

/** The memory of one process (resident set size) from now on, looked at ten times a second. */
export function watchMemory(pid: number): { end(): { readonly idleMiB: number; readonly mostMiB: number } } {
  const look = (): number => {
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1]
    return Math.round(Number(kib ?? 0) / 1024)
  }
  const idleMiB = look()
  let mostMiB = idleMiB
  const timer = setInterval(() => {
    mostMiB = Math.max(mostMiB, look())
  }, 100).unref()
  return {
    end() {
      clearInterval(timer)
      return { idleMiB, mostMiB }
    },
  }
}
