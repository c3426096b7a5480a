import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { postgresError } from '../errors.ts'

const shutdownLimitMs = 15_000
const pollEveryMs = 20

/**
 * Waits for the processes of a server whose parent was killed: it may be writing its last checkpoint, and the children of
 * a killed postmaster take a moment to notice. Removes its pid file: the next server refuses to start while any process has
 * the number in it, and in a container, whose numbers begin anew, a process that starts beside it often gets that one.
 *
 * @throws POSTGRES_DATA_DIR_IN_USE when it does not end in time
 */
export async function waitForStalePostmaster(dataDir: string, limitMs = shutdownLimitMs): Promise<void> {
  const pidFile = join(dataDir, 'postmaster.pid')
  const text = await readFile(pidFile, 'utf8').catch(() => null)
  if (text === null) return
  const pid = Number(text.split('\n')[0])
  const limit = Date.now() + limitMs
  for (;;) {
    const still = await findProcesses(dataDir, pid)
    const [first] = still
    if (first === undefined) break
    if (Date.now() > limit) throw postgresError('POSTGRES_DATA_DIR_IN_USE', { details: `${dataDir}: process ${first}` })
    await delay(pollEveryMs)
  }
  // Without /proc an orphaned child may run yet: the next server looks for it by the memory that the file names.
  if (await hasProc()) await rm(pidFile, { force: true })
}

const hasProc = (): Promise<boolean> =>
  stat('/proc/self').then(
    () => true,
    () => false,
  )

/**
 * Removes the sockets and lock files that a killed server left in its folder, which has no other user: the next server
 * does not start beside a lock file whose number another process has.
 *
 * To be called only by the holder of the data directory.
 */
export async function removeStaleSockets(socketDir: string): Promise<void> {
  const names = await readdir(socketDir)
  const left = names.filter((name) => name.startsWith('.s.PGSQL.'))
  await Promise.all(left.map((name) => rm(join(socketDir, name), { force: true })))
}

/** The running processes of a data directory's server: their working directory is that directory. */
async function findProcesses(dataDir: string, pid: number): Promise<readonly number[]> {
  const numbers = await readdir('/proc').then(
    (names) => names.filter((name) => /^\d+$/.test(name)).map(Number),
    () => null,
  )
  // Without /proc the process of a number cannot be told.
  if (numbers === null) return isInUse(pid) ? [pid] : []
  const directory = await inodeOf(dataDir)
  const found = await Promise.all(
    numbers.map(async (number) => {
      if (number === process.pid) return false
      const folder = await inodeOf(`/proc/${number}/cwd`)
      if (folder !== null) return folder === directory && (await isPostgres(number))
      // The working directory of another user's process cannot be read, its command line can.
      return number === pid && (await isPostgres(number))
    }),
  )
  return numbers.filter((_, index) => found[index] === true)
}

async function inodeOf(path: string): Promise<string | null> {
  return stat(path).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => null,
  )
}

/** Whether the command line is `postgres`, or that of a child: `postgres: checkpointer`. */
async function isPostgres(pid: number): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return /^postgres(:|$)/.test(basename(commandLine.split('\0')[0] ?? ''))
}

/** Whether any process has the number. */
function isInUse(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
