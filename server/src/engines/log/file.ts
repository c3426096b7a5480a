import { once } from 'node:events'
import { statSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { repeatedly } from '../../ground/retry/repeatedly.ts'
import type { Output } from './output.ts'

export interface LogFileOptions {
  readonly path: string
  /** A file of so many bytes is renamed. */
  readonly rotateBytes: number
  /** Renamed files that are kept: `.1` is the newest. */
  readonly rotatedFiles: number
  /** Days after its last line for which a renamed file is kept; null for as long as there are no more of them. */
  readonly rotatedDays: number | null
  readonly now: () => Date
}

const closeMs = 1000
const dayMs = 24 * 3_600_000
const lookEveryMs = 3_600_000

/** A file that lines are appended to, and that is renamed before it grows beyond its size. */
export function openLogFile({ path, rotateBytes, rotatedFiles, rotatedDays, now }: LogFileOptions): Output {
  const output = pino.destination({ dest: path, mkdir: true, sync: false })
  output.on('error', () => undefined)
  // Until then there is no file to rename.
  const opened = once(output, 'ready').catch(() => undefined)
  let bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  let changing: Promise<void> | null = null
  let closing: Promise<void> | null = null

  async function rotate(): Promise<void> {
    await opened
    for (let number = rotatedFiles - 1; number >= 1; number--)
      await renameIfThere(`${path}.${number}`, `${path}.${number + 1}`)
    await renameIfThere(path, `${path}.1`)
    bytes = 0
    // What was written meanwhile is in the renamed file: the descriptor is of the file and not of its name.
    output.reopen()
  }

  /** One at a time: both change which file has a name. */
  const change = (work: () => Promise<void>): void => {
    changing ??= work()
      .catch(() => undefined)
      .finally(() => {
        changing = null
      })
  }
  async function removeOld(days: number): Promise<void> {
    const since = now().getTime() - days * dayMs
    for (let number = 1; number <= rotatedFiles; number++) await removeIfBefore(`${path}.${number}`, since)
  }
  const removing = repeatedly(async () => {
    if (rotatedDays !== null) change(() => removeOld(rotatedDays))
  }, lookEveryMs)
  removing.start()

  async function end(): Promise<void> {
    await removing.close()
    await changing
    const closed = once(output, 'close')
    output.end()
    // Without a disk to write to it never closes.
    await Promise.race([closed, delay(closeMs, undefined, { ref: false })]).catch(() => undefined)
  }

  return {
    write(line) {
      if (bytes >= rotateBytes) change(rotate)
      bytes += Buffer.byteLength(line)
      output.write(line)
    },
    close: () => {
      closing ??= end()
      return closing
    },
  }
}

async function renameIfThere(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}

/** A renamed file is written no more: its time is that of its last line. */
async function removeIfBefore(path: string, since: number): Promise<void> {
  const found = await stat(path).catch(() => null)
  if (found !== null && found.mtimeMs < since) await rm(path, { force: true })
}
