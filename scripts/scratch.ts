import { accessSync, constants, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'
const needed = 4 * 1024 ** 3
const prefix = 'clew-tests-'

/**
 * Points `TMPDIR` of this process and its children to a folder in memory, where the machine has 4 GiB for it: cloning a
 * database creates 300 files, which takes 50 ms there and up to a second on a busy disk. The folder goes with the process.
 */
export function useScratchFolder(): void {
  if (process.env.TMPDIR?.startsWith(join(memory, prefix)) || !hasRoom()) return
  for (const name of readdirSync(memory)) {
    try {
      if (isLeftBehind(name)) remove(join(memory, name))
    } catch {
      // Another run removes it at this moment.
    }
  }
  const folder = join(memory, `${prefix}${process.pid}`)
  // As /tmp is: PostgreSQL may run as another user than the tests.
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  process.env.TMPDIR = folder
  process.on('exit', () => remove(folder))
}

function hasRoom(): boolean {
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= needed
  } catch {
    return false
  }
}

/** Whether a folder is one of ours whose process was killed. */
function isLeftBehind(name: string): boolean {
  if (!name.startsWith(prefix)) return false
  try {
    process.kill(Number(name.slice(prefix.length)), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true })
