import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../ground/errors/message.ts'
import type { EngineHealth } from '../../ground/model/health.ts'
import type { Log } from '../../ground/model/log.ts'
import { timeOfId } from './keep.ts'
import { type ListedBackup, listBackups } from './list.ts'
import { measureTarget } from './measure-target.ts'
import type { BackupSettings } from './settings.ts'
import type { BackupTarget } from './target/target.ts'
import { createWalKeeping, type WalFailure } from './wal/keeping.ts'
import { readWalState, type WalState } from './wal/wal-state.ts'

/** What the schedule does, one at a time. */
type ScheduledCommand = 'create' | 'verify' | 'prune'
/** What a process of the command line does for the schedule; `wal` runs beside the others. */
export type BackupCommand = ScheduledCommand | 'wal'

/** What it printed is for the log; null where it ended with success. */
export type RunBackupCommand = (command: BackupCommand, signal: AbortSignal) => Promise<string | null>

export interface ScheduleDeps {
  readonly target: BackupTarget
  readonly settings: Pick<BackupSettings, 'everyHours' | 'verify' | 'wal' | 'walSeconds'>
  /** What backups and their log may take; null for as many as the rules keep. */
  readonly budgetBytes: number | null
  readonly run: RunBackupCommand
  readonly now: () => Date
  readonly log: Log
  /** Called when something of the state is another. */
  readonly changed: () => void
  /** How often it is looked whether a backup is due. */
  readonly pollMs: number
  /** Whether this process keeps the log; of several of an instance one does. */
  readonly keepsWal: boolean
  /** From an end of keeping the log to the next beginning. */
  readonly walAgainMs: number
}

/** How the backups of an instance are. */
export interface BackupsState {
  /** Where they are, for people. */
  readonly target: string
  readonly everyHours: number
  readonly running: ScheduledCommand | null
  /** Why the last attempt was none; null after one that was good. */
  readonly failure: { readonly at: Date; readonly message: string } | null
  readonly backups: readonly ListedBackup[]
  /** How far the log is kept; null where it is not to be. */
  readonly wal: (WalState & { readonly failure: WalFailure | null }) | null
}

/** Backups on a schedule. */
export interface Backups {
  /** Reads the target. */
  state(): Promise<BackupsState>
  /** Begins one now, unless one is under way. */
  runNow(): void
  health(): EngineHealth
  /** Seconds since the newest good backup was begun; infinite where there is none. */
  verifiedAgeSeconds(): number
  /** Seconds since the moment up to which the log is kept; infinite where none is. */
  walAgeSeconds(): number
  /** Attempts that failed since the start. */
  failures(): number
  /** What is in the target, as it was after the last attempt, or within the last hour. */
  bytes(): Promise<number>
  start(): void
  /** To be called when a secret of the target is another one. */
  secretsChanged(): void
  close(): Promise<void>
}

const hourMs = 3_600_000
/** After a failure, so that a full disk is not written to without a pause. */
const againAfterMs = hourMs
/** Of several processes of an instance one has the turn: the others have nothing to do. */
const busy = 'CLEW_BACKUP_BUSY'

/**
 * Makes a backup when the newest is older than the schedule says, opens it, and removes those that no rule keeps, once it is
 * good. The work is done in processes of the command line; what is known is read from the target, so that a restart, or
 * another process, goes on where the last one was.
 */
export function createBackups(deps: ScheduleDeps): Backups {
  const { target, settings, run, now, log, pollMs } = deps
  const closing = new AbortController()
  const { signal } = closing
  const attempts = createAttempts(deps, signal)
  const { known } = attempts
  const keeping = createWalKeeping({ run: (wal) => run('wal', wal), now, log, againMs: deps.walAgainMs })
  let isAsked = false
  let wake: () => void = () => undefined
  let loop: Promise<void> = Promise.resolve()

  const go = async (): Promise<void> => {
    while (!signal.aborted) {
      await attempts.look(isAsked, () => {
        isAsked = false
      })
      if (isAsked) continue
      await new Promise<void>((resolve) => {
        wake = resolve
        delay(pollMs, undefined, { signal, ref: false }).then(resolve, resolve)
      })
    }
  }
  const verifiedAt = (): Date | null => {
    const good = known.backups.find(({ verification }) => verification?.isGood === true)
    return good === undefined ? null : timeOfId(good.id)
  }
  /** A failure of before is none once the log is kept again. */
  const walFailure = (): WalFailure | null => {
    const failure = keeping.failure()
    const untilAt = known.wal?.untilAt ?? null
    return failure === null || (untilAt !== null && new Date(untilAt) > failure.at) ? null : failure
  }

  return {
    async state() {
      await attempts.refresh()
      const { running, failure, backups } = known
      const wal = known.wal === null ? null : { ...known.wal, failure: walFailure() }
      return { target: target.name, everyHours: settings.everyHours, running, failure, backups, wal }
    },
    runNow() {
      isAsked = known.running === null
      wake()
    },
    health: () => describeHealth({ ...known, verifiedAt: verifiedAt(), walFailure: walFailure(), now: now() }, deps),
    verifiedAgeSeconds() {
      const at = verifiedAt()
      return at === null ? Number.POSITIVE_INFINITY : (now().getTime() - at.getTime()) / 1000
    },
    walAgeSeconds() {
      const untilAt = known.wal?.untilAt ?? null
      return untilAt === null ? Number.POSITIVE_INFINITY : (now().getTime() - Date.parse(untilAt)) / 1000
    },
    failures: () => known.failures,
    bytes: async () => known.size?.bytes ?? (await attempts.measure()),
    start() {
      loop = go()
      if (settings.wal && deps.keepsWal) keeping.start()
    },
    secretsChanged: keeping.restart,
    async close() {
      closing.abort()
      wake()
      await Promise.all([loop, keeping.close()])
      target.close()
    },
  }
}

/** One attempt after another, and what is known of them. */
function createAttempts({ target, settings, run, now, log, changed }: ScheduleDeps, signal: AbortSignal) {
  const known: {
    running: ScheduledCommand | null
    failure: BackupsState['failure']
    failures: number
    backups: readonly ListedBackup[]
    wal: WalState | null
    size: { readonly at: Date; readonly bytes: number } | null
  } = { running: null, failure: null, failures: 0, backups: [], wal: null, size: null }

  const refresh = async (): Promise<void> => {
    known.backups = await listBackups(target)
    known.wal = settings.wal ? await readWalState(target, known.backups) : null
  }
  const measure = async (): Promise<number> => {
    const bytes = await measureTarget(target)
    known.size = { at: now(), bytes }
    return bytes
  }
  /** @returns whether it ended with success */
  const step = async (command: ScheduledCommand): Promise<boolean> => {
    known.running = command
    changed()
    const problem = await run(command, signal).catch(messageOf)
    known.running = null
    if (problem === null) return true
    if (signal.aborted || problem.includes(busy)) return false
    known.failures += 1
    known.failure = { at: now(), message: problem }
    log.warn({ command, problem }, 'backup: it is tried again in an hour')
    return false
  }
  const work = async (): Promise<void> => {
    const isDone = (await step('create')) && (!settings.verify || (await step('verify'))) && (await step('prune'))
    if (isDone) known.failure = null
    await refresh()
    await measure()
    changed()
  }
  const isDue = (): boolean => {
    const atMs = now().getTime()
    if (known.failure !== null) return atMs - known.failure.at.getTime() >= againAfterMs
    const [newest] = known.backups
    if (newest === undefined || atMs - timeOfId(newest.id).getTime() >= settings.everyHours * hourMs) return true
    // Log that begins anew leads nowhere without a backup of its own.
    return known.wal?.stretchId != null && newest.id < known.wal.stretchId
  }
  return {
    known: known as Readonly<typeof known>,
    refresh,
    measure,
    /** Begins an attempt where one is due, or asked for; never rejects. */
    async look(isAsked: boolean, begun: () => void): Promise<void> {
      try {
        await refresh()
        if (known.size === null || now().getTime() - known.size.at.getTime() >= hourMs) await measure()
        if (!isAsked && !isDue()) return
        begun()
        await work()
      } catch (error) {
        begun()
        known.failure = { at: now(), message: messageOf(error) }
        log.warn({ err: error }, 'backup: the place of the backups cannot be read')
      }
    },
  }
}

interface Known extends Pick<BackupsState, 'running' | 'failure' | 'backups'> {
  readonly wal: WalState | null
  readonly size: { readonly bytes: number } | null
  readonly walFailure: WalFailure | null
  readonly verifiedAt: Date | null
  readonly now: Date
}

/** Backups that are late do not keep an instance from serving: they are degraded, never down. */
function describeHealth(
  { running, failure, backups, wal, size, walFailure, verifiedAt, now }: Known,
  { budgetBytes, settings: { everyHours, verify, walSeconds } }: Pick<ScheduleDeps, 'budgetBytes' | 'settings'>,
): EngineHealth {
  const found = (state: EngineHealth['state'], detail: string): EngineHealth => ({
    name: 'backups',
    state,
    detail,
    pid: null,
  })
  const [newest] = backups
  const last = verify ? verifiedAt : newest === undefined ? null : timeOfId(newest.id)
  const what = verify ? 'verified backup' : 'backup'
  const made = last === null ? `There is no ${what} yet.` : `The last ${what} is of ${last.toISOString()}.`
  const log = wal?.untilAt == null ? '' : ` The log is kept until ${wal.untilAt}, ${wal.untilLsn}.`
  const at = `${made}${log}`
  if (failure !== null) return found('degraded', `${at} The last attempt failed: ${failure.message}`)
  if (walFailure !== null) return found('degraded', `${at} It goes no further: ${walFailure.message}`)
  if (wal?.untilAt != null && isLogLate(wal.untilAt, now, walSeconds))
    return found('degraded', `${at} It goes no further, and nothing says why.`)
  if (running !== null) return found('up', `${at} Another one is under way.`)
  if (size !== null && budgetBytes !== null && size.bytes > budgetBytes)
    return found('degraded', `${at} ${describeExcess(size.bytes, budgetBytes)}`)
  const isLate = last === null || now.getTime() - last.getTime() > 2 * everyHours * hourMs
  return isLate && newest !== undefined
    ? found('degraded', `${at} One is made every ${everyHours} hours.`)
    : found('up', at)
}

const describeExcess = (bytes: number, budgetBytes: number): string =>
  `They take ${mibOf(bytes)} MiB, and backups_mib of [disk] allows ${mibOf(budgetBytes)} MiB: the next clean-up removes the oldest, but never the newest nor the last that is known to be good.`

const mibOf = (bytes: number): number => Math.ceil(bytes / 1024 ** 2)

/** That there is nothing new is noted once a minute, and read once a minute. */
const isLogLate = (untilAt: string, now: Date, walSeconds: number): boolean =>
  now.getTime() - Date.parse(untilAt) > 300_000 + 3000 * walSeconds
