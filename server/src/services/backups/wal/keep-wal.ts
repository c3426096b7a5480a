import { setTimeout as delay } from 'node:timers/promises'
import { parseLsn, type WalStream } from '../../../engines/postgres/index.ts'
import { createPace } from '../copies/pace.ts'
import type { BackupSettings } from '../settings.ts'
import type { BackupTarget } from '../target/target.ts'
import { type OpenStretch, openStretch, putBack, readWalFacts } from './open-stretch.ts'
import { createSegmentWriter, LogDiverged } from './segment-writer.ts'
import { segmentOf, startOf } from './segments.ts'
import { type WalFacts, type WalServer, walSlot } from './slot.ts'
import { type Stretch, writeStretch } from './stretch.ts'

export interface KeepWalDeps {
  readonly target: BackupTarget
  readonly settings: Pick<BackupSettings, 'mibPerSecond' | 'walSeconds'>
  readonly now: () => Date
  readonly nowMs: () => number
  /** Ends it; what is not kept by then is received again by the next one. */
  readonly signal: AbortSignal
  /** Told when the log is kept up to a place. */
  readonly kept: (stretch: Stretch) => void
}

/**
 * Keeps PostgreSQL's log in the target as it is written, until the server stops or the signal comes. It goes on where the last
 * process was. One segment is in memory.
 *
 * @throws CLEW_BACKUP_BUSY where another process keeps it; CLEW_BACKUP_TARGET
 */
export async function keepWal(server: WalServer, deps: KeepWalDeps): Promise<void> {
  const { target, now, signal } = deps
  for (;;) {
    const opened = await openStretch(server, target, now)
    try {
      await receive(server, opened, deps)
      return
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof LogDiverged)) throw error
      await writeStretch(target, { ...opened.stretch, ended: putBack })
    }
  }
}

async function receive(server: WalServer, opened: OpenStretch, deps: KeepWalDeps): Promise<void> {
  const { target, settings, nowMs, signal } = deps
  const { timeline, untilLsn, segmentBytes } = opened.stretch
  const fromLsn = startOf(segmentOf(parseLsn(untilLsn), segmentBytes), segmentBytes)
  const stream = server.receiveWal({ slot: walSlot, timeline, fromLsn })
  const kept = (stretch: Stretch): void => {
    stream.acknowledge(parseLsn(stretch.untilLsn))
    deps.kept(stretch)
  }
  const segments = createSegmentWriter(opened, { target, pace: createPace(settings.mibPerSecond, nowMs), kept })
  const over = new AbortController()
  const stop = (): void => over.abort()
  signal.addEventListener('abort', stop, { once: true })
  const marks = markRegularly(server, stream, settings.walSeconds * 1000, over.signal)
  const receiving = (async () => {
    for await (const message of stream.messages()) {
      if (message.kind === 'log') await segments.take(message.lsn, message.bytes)
      const reached = marks.take(segments.receivedLsn())
      if (reached !== null) await segments.keep(reached)
    }
  })()
  try {
    await Promise.race([receiving, marks.ended])
  } finally {
    stop()
    signal.removeEventListener('abort', stop)
    await stream.close()
    await receiving.catch(() => undefined)
  }
}

/**
 * Asks every so often where the log is, and has the server send a message behind it: once the log is received up to there,
 * everything that was committed when it was asked is.
 */
function markRegularly(server: WalServer, stream: WalStream, everyMs: number, signal: AbortSignal) {
  let mark: WalFacts | null = null
  const ask = async (): Promise<void> => {
    while (!signal.aborted) {
      mark ??= await readWalFacts(server)
      stream.ask()
      await delay(everyMs, undefined, { signal }).catch(() => undefined)
    }
  }
  return {
    /** Resolves with the signal. @throws where the server is gone */
    ended: ask(),
    /** When the mark was made that `receivedLsn` has reached; null where it has not. */
    take(receivedLsn: bigint): Date | null {
      if (mark === null || receivedLsn < parseLsn(mark.flushedLsn)) return null
      const { at } = mark
      mark = null
      return at
    },
  }
}
