import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { instanceError } from '../errors.ts'
import { randomToken } from '../ground/ids/tokens.ts'
import { isListenedAt, listenAt } from './lock-socket.ts'

interface Holder {
  readonly pid: number
  /** The process's start time by the kernel (Linux), which tells it from a later process of that id. */
  readonly startTime: string | null
  /** The name of the socket that it listens at, beside the lock; null in locks of versions that had none. */
  readonly socket: string | null
}

/** A lock that this process holds. */
export interface Lock {
  release(): Promise<void>
}

const attempts = 200
const pauseMs = 5

/**
 * Locks a data directory for this process. The lock of a process that has ended is replaced. Containers that share a volume
 * do not see each other's processes: a holder also listens at a socket beside the lock.
 *
 * @throws CLEW_START_RUNNING with the process id of the holder
 */
export async function lockDirectory(dataDir: string): Promise<Lock> {
  const path = join(dataDir, 'clew.lock')
  const token = randomToken(6)
  const own = join(dataDir, `clew.lock.${process.pid}.${token}`)
  const taking = join(dataDir, 'clew.lock.taking')
  const socket = `clew.${token}.sock`
  // Before the lock is taken: from then on others ask.
  const listening = await listenAt(join(dataDir, socket))
  const holder: Holder = { pid: process.pid, startTime: (await statOf(process.pid)).startTime, socket }
  await writeFile(own, renderHolder(holder), { mode: 0o600 })
  let isTaken = false
  try {
    // `link` fails when the name exists: one of several concurrent starts succeeds.
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (await linked(own, path)) {
        isTaken = true
        return {
          async release() {
            await rm(path, { force: true })
            await listening?.close()
          },
        }
      }
      const other = await readHolder(path)
      if (typeof other === 'object' && (await lives(dataDir, other))) {
        throw instanceError('CLEW_START_RUNNING', {
          message: `Another Clew, process ${other.pid}, already runs on ${dataDir}.`,
          details: { pid: other.pid },
        })
      }
      // A stale lock is removed under a lock of its own, after another look: a concurrent start may have replaced it.
      if (await linked(own, taking)) {
        if ((await stateOf(dataDir, path)) === 'stale') await rm(path, { force: true })
        await rm(taking, { force: true })
        continue
      }
      // One that is missing was released between two looks: what has its name by now is the lock of another start.
      if ((await stateOf(dataDir, taking)) === 'stale') await rm(taking, { force: true })
      else await pause(pauseMs)
    }
    throw instanceError('CLEW_START_RUNNING', { message: `The lock of ${dataDir} could not be taken.` })
  } finally {
    await rm(own, { force: true })
    if (!isTaken) await listening?.close()
  }
}

/** The process of this machine, or of this container, that holds a data directory, or null. */
export async function findHolder(dataDir: string): Promise<number | null> {
  const holder = await readHolder(join(dataDir, 'clew.lock'))
  return typeof holder === 'object' && (await isAlive(holder)) ? holder.pid : null
}

/** Whether a lock file is held; a torn one, or that of a process that has ended, is stale. */
async function stateOf(dataDir: string, path: string): Promise<'missing' | 'stale' | 'held'> {
  const holder = await readHolder(path)
  if (holder === 'missing') return 'missing'
  return holder !== 'torn' && (await lives(dataDir, holder)) ? 'held' : 'stale'
}

/** Whether a holder lives, here or in another container. The socket of one that has ended is removed. */
async function lives(dataDir: string, holder: Holder): Promise<boolean> {
  if (await isAlive(holder)) return true
  if (holder.socket === null) return false
  const path = join(dataDir, holder.socket)
  if (await isListenedAt(path)) return true
  await rm(path, { force: true })
  return false
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** The lock file. `born` is the start time. */
const renderHolder = ({ pid, startTime, socket }: Holder): string => JSON.stringify({ pid, born: startTime, socket })

async function readHolder(path: string): Promise<Holder | 'missing' | 'torn'> {
  const text = await readFile(path, 'utf8').catch(ignoreMissing)
  if (typeof text !== 'string') return 'missing'
  try {
    const { pid, born, socket } = JSON.parse(text) as { pid?: unknown; born?: unknown; socket?: unknown }
    if (typeof pid !== 'number') return 'torn'
    return {
      pid,
      startTime: typeof born === 'string' ? born : null,
      // A name of this module's own: the lock file is not what decides which file is removed.
      socket: typeof socket === 'string' && /^clew\.[\w-]+\.sock$/.test(socket) ? socket : null,
    }
  } catch {
    return 'torn'
  }
}

async function isAlive({ pid, startTime }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false
  }
  if (startTime === null) return true
  const now = await statOf(pid)
  // A zombie keeps its id until its parent waits for it, which some parents never do.
  return now.startTime === startTime && now.state !== 'Z'
}

/**
 * The state and the start time of a process: fields 3 and 22 of `/proc/<pid>/stat`, counted after the command's closing
 * parenthesis. Null on systems without `/proc`.
 */
async function statOf(pid: number): Promise<{ readonly state: string | null; readonly startTime: string | null }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? null, startTime: fields[19] ?? null }
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code

function ignoreMissing(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error
}
