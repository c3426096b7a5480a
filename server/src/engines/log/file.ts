import { once } from 'node:events'
import { statSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import type { Output } from './output.ts'

export interface LogFileOptions {
  readonly path: string
  /** A file of so many bytes is renamed. */
  readonly rotateBytes: number
  /** Renamed files that are kept: `.1` is the newest. */
  readonly rotatedFiles: number
}

const closeMs = 1000

/** A file that lines are appended to, and that is renamed before it grows beyond its size. */
export function openLogFile({ path, rotateBytes, rotatedFiles }: LogFileOptions): Output {
  const output = pino.destination({ dest: path, mkdir: true, sync: false })
  output.on('error', () => undefined)
  // Until then there is no file to rename.
  const opened = once(output, 'ready').catch(() => undefined)
  let bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  let rotating: Promise<void> | null = null
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

  async function end(): Promise<void> {
    await rotating
    const closed = once(output, 'close')
    output.end()
    // Without a disk to write to it never closes.
    await Promise.race([closed, delay(closeMs, undefined, { ref: false })]).catch(() => undefined)
  }

  return {
    write(line) {
      if (bytes >= rotateBytes && rotating === null) {
        rotating = rotate()
          .catch(() => undefined)
          .finally(() => {
            rotating = null
          })
      }
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
