import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { postgresError } from '../errors.ts'

const shutdownLimitMs = 15_000
const lookEveryMs = 20

/**
 * Waits for the processes of a server whose parent was killed: it may still be writing its last checkpoint, and those of
 * one that was killed itself take a moment to notice. Clears its pid file where the operating system has given the number
 * to another program.
 *
 * @throws POSTGRES_DATA_DIR_IN_USE when it does not end
 */
export async function waitForFormerServer(dataDir: string, limitMs = shutdownLimitMs): Promise<void> {
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
    await delay(lookEveryMs)
  }
  // A server that ended in order has removed it. One that was killed has not, and the next would take the number in it for
  // that server if anybody has it, be it a process that ended and was not yet asked for by its parent.
  if (isNamed(pid)) await rm(pidFile, { force: true })
}

/**
 * Removes the sockets, and their lock files, that a killed server has left in the folder that is ours alone: the next would
 * not start beside a lock file whose number somebody has by now.
 *
 * Only whoever holds the data directory may do so.
 */
export async function removeFormerSockets(socketDir: string): Promise<void> {
  const names = await readdir(socketDir)
  const left = names.filter((name) => name.startsWith('.s.PGSQL.'))
  await Promise.all(left.map((name) => rm(join(socketDir, name), { force: true })))
}

/** The living processes of the server of a data directory, which all work in it. */
async function findProcesses(dataDir: string, pid: number): Promise<readonly number[]> {
  const numbers = await readdir('/proc').then(
    (names) => names.filter((name) => /^\d+$/.test(name)).map(Number),
    () => null,
  )
  // Without /proc nothing can be said of who has the number.
  if (numbers === null) return isNamed(pid) ? [pid] : []
  const place = await placeOf(dataDir)
  const found = await Promise.all(
    numbers.map(async (number) => {
      if (number === process.pid) return false
      const folder = await placeOf(`/proc/${number}/cwd`)
      if (folder !== null) return folder === place && (await isPostgres(number))
      // Of another user's process, only its words can be read.
      return number === pid && (await isPostgres(number))
    }),
  )
  return numbers.filter((_, index) => found[index] === true)
}

async function placeOf(path: string): Promise<string | null> {
  return stat(path).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => null,
  )
}

/** `postgres`, or a process of it that goes by its task: `postgres: checkpointer`. */
async function isPostgres(pid: number): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return /^postgres(:|$)/.test(basename(commandLine.split('\0')[0] ?? ''))
}

/** Whether any process has the number, also one that has ended. */
function isNamed(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
