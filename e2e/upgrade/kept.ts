import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { constants, createBrotliCompress, createBrotliDecompress } from 'node:zlib'
import type { Answers } from './read.ts'

/** Data directories of released versions, each with what its version answered about it. */
export const keptFolder = fileURLToPath(new URL('./kept/', import.meta.url))

/** What stands beside an archive. */
export interface Kept {
  readonly version: string
  readonly sessionId: string
  readonly answers: Answers
}

/** The kept data directories, the oldest version first. */
export async function listKept(): Promise<readonly Kept[]> {
  const names = (await readdir(keptFolder)).filter((name) => name.endsWith('.json')).sort()
  // `keep.ts` wrote them.
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(keptFolder, name), 'utf8')) as Kept))
}

export const archiveOf = (version: string): string => join(keptFolder, `${version}.tar.br`)

/** Settings under which what was kept stays, however old it is. */
export const retention = Object.fromEntries(
  ['REPLAY_RETENTION', 'THREAD_REQUEST_RETENTION', 'THREAD_CHANGE_RETENTION', 'ISSUES_RETENTION'].map((name) => [
    `CLEW_${name}_DAYS`,
    '3650',
  ]),
)

/** Packs a data directory that no process runs on. @param without paths in it that are left out */
export async function pack(folder: string, archive: string, without: readonly string[]): Promise<void> {
  const left = without.map((path) => `--exclude=./${path}`)
  const tar = spawn('tar', ['-C', folder, ...left, '--sort=name', '-cf', '-', '.'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(tar, 'exit')
  // The catalogues of PostgreSQL’s three databases are alike: the window holds two of them.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 }
  await pipeline(tar.stdout, createBrotliCompress({ params }), createWriteStream(archive))
  await checkEnd(ended)
}

/** Unpacks an archive into a new folder. */
export async function unpack(archive: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const tar = spawn('tar', ['-C', folder, '--no-same-owner', '-xf', '-'], { stdio: ['pipe', 'inherit', 'inherit'] })
  const ended = once(tar, 'exit')
  const sending = pipeline(createReadStream(archive), createBrotliDecompress(), tar.stdin)
  const [sent] = await Promise.allSettled([sending, checkEnd(ended)])
  await checkEnd(ended)
  // tar may end before its input does: behind the mark of an archive's end nothing is read.
  if (sent.status === 'rejected' && !isEarlyEnd(sent.reason)) throw sent.reason
}

const isEarlyEnd = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'EPIPE'

async function checkEnd(ended: Promise<unknown[]>): Promise<void> {
  const [code] = await ended
  if (code !== 0) throw new Error(`tar ended with ${code}.`)
}
