import { setTimeout as delay } from 'node:timers/promises'
import type { BulkConnection } from '../../engines/postgres/index.ts'
import { messageOf } from '../../ground/errors/message.ts'
import { inParallel } from '../../ground/limits/in-parallel.ts'
import type { FileSource } from './file-source.ts'
import { isLost } from './http-call.ts'
import {
  countObjectsStatement,
  type PendingObject,
  restoreObjectStatement,
  selectPendingStatement,
} from './object-statements.ts'
import { type StorageApi, StorageRefusal } from './storage-api.ts'

/** Where files come from and where they go. */
export interface FileMove {
  readonly source: FileSource
  /** The storage service of the database that is imported into. */
  readonly target: StorageApi
  /** Files that are moved at a time. */
  readonly jobs: number
  /** How long each further attempt of a file waits. */
  readonly retryDelaysMs: readonly number[]
}

/** What became of the files of an import. */
export interface FilesReport {
  moved: number
  bytes: number
  /** Files that an earlier run had moved, or that were there with their size and entity tag. */
  alreadyThere: number
}

/** The dependencies of `moveFiles`. */
export interface MoveFilesDeps extends FileMove {
  /** The database that is imported into; its session does not run triggers where that is allowed. */
  readonly database: Database
  /** The source's name in the journal. */
  readonly name: string
  readonly progress: (line: string) => void
  readonly failed: (what: string, reason: string) => void
}

const pageRows = 500
/** A source that gives so few of its files is wrong as a whole. */
const mostFailures = 100

/** Moves the files that are not there; one that fails is reported, and the next run tries it again. */
export async function moveFiles(deps: MoveFilesDeps): Promise<FilesReport> {
  const { name, jobs, progress, failed } = deps
  const database = oneByOne(deps.database)
  const { rows: counts } = await database.query<{ objects: number; pending: number }>(countObjectsStatement(name))
  const { objects = 0, pending = 0 } = counts[0] ?? {}
  const report: FilesReport = { moved: 0, bytes: 0, alreadyThere: objects - pending }
  let failures = 0
  await inParallel(readPending(database, name), jobs, async (object) => {
    if (failures >= mostFailures) return
    const place = `${object.bucket_id}/${object.name}`
    progress(`File ${report.moved + failures + 1} of ${pending}: ${place}`)
    try {
      const bytes = await moveOften(deps, object)
      await database.query(restoreObjectStatement(name, object))
      report.moved += 1
      report.bytes += bytes
    } catch (error) {
      failures += 1
      failed(`the file ${place}`, messageOf(error))
    }
  })
  if (failures >= mostFailures)
    failed('further files', `${mostFailures} could not be moved; the others were not tried.`)
  return report
}

type Database = Pick<BulkConnection, 'query'>

/** A connection runs one statement at a time. */
function oneByOne(connection: Database): Database {
  let last: Promise<unknown> = Promise.resolve()
  return {
    query(statement) {
      const result = last.then(() => connection.query(statement))
      last = result.catch(() => undefined)
      // The row's type is the caller's, as of the connection's own.
      return result as never
    },
  }
}

async function* readPending(database: Database, name: string): AsyncGenerator<PendingObject> {
  let after: Pick<PendingObject, 'bucket_id' | 'name'> = { bucket_id: '', name: '' }
  for (;;) {
    const { rows } = await database.query<PendingObject>(selectPendingStatement(name, after, pageRows))
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageRows) return
    after = last
  }
}

/** Moves one file; once more where it may go better then. Returns its bytes. */
async function moveOften({ source, target, retryDelaysMs }: FileMove, object: PendingObject): Promise<number> {
  for (const wait of retryDelaysMs) {
    try {
      return await moveOne(source, target, object)
    } catch (error) {
      if (!isPassing(error)) throw error
      await delay(wait)
    }
  }
  return moveOne(source, target, object)
}

/** Whether a failure is of the moment: a busy server, or a connection that was lost. */
function isPassing(error: unknown): boolean {
  // The SDK of the S3 protocol has the status of an answer among its metadata.
  const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } }
  const status = error instanceof StorageRefusal ? error.status : $metadata?.httpStatusCode
  return status === undefined ? isLost(error) : status >= 500 || status === 429
}

async function moveOne(
  source: FileSource,
  target: StorageApi,
  { bucket_id: bucket, name: key, type, cache_control: cacheControl }: PendingObject,
): Promise<number> {
  const { body, sizeBytes } = await source.download({ bucket, key })
  let bytes = 0
  body.on('data', (piece: Buffer) => {
    bytes += piece.length
  })
  body.pause()
  await target.upload(
    { bucket, key },
    {
      open: () => body,
      sizeBytes,
      contentType: type ?? 'application/octet-stream',
      cacheControl: cacheControl ?? 'no-cache',
      overwrites: true,
    },
  )
  return bytes
}
