import { readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { postgresError } from './errors.ts'

const shutdownLimitMs = 15_000

/**
 * Waits for a server whose parent was killed and that is still writing its last checkpoint; clears the pid file of
 * one that was itself killed when the operating system gave its number to another program.
 *
 * @throws POSTGRES_DATA_DIR_IN_USE when it does not end
 */
export async function waitForFormerServer(dataDir: string, limitMs = shutdownLimitMs): Promise<void> {
  const limit = Date.now() + limitMs
  const pidFile = join(dataDir, 'postmaster.pid')
  for (;;) {
    const text = await readFile(pidFile, 'utf8').catch(() => null)
    const pid = Number(text?.split('\n')[0])
    // The server itself knows a stale file by a number that nobody has.
    if (text === null || !Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return
    if (!(await isPostgres(pid))) {
      await rm(pidFile, { force: true })
      return
    }
    if (Date.now() > limit) throw postgresError('POSTGRES_DATA_DIR_IN_USE', { details: `${dataDir}: process ${pid}` })
    await delay(20)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function isPostgres(pid: number): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null)
  // Without /proc nothing can be said: the server decides.
  if (commandLine === null) return isAlive(pid)
  return basename(commandLine.split('\0')[0] ?? '') === 'postgres'
}
