import type { Sql } from '../../../engines/postgres/index.ts'
import { TaskEnded, TasksFull, type Threads } from '../../../engines/threads/index.ts'
import { issuesError } from '../errors.ts'
import type { IssuesSettings } from '../settings.ts'
import { traceModule } from './resolve.ts'
import {
  type BuiltFile,
  deleteMapsStatement,
  deleteReleaseStatement,
  insertMapStatement,
  selectReleasesOfMapsStatement,
  upsertBuiltFileStatement,
} from './store.ts'
import type { Traced, TraceTask } from './trace-task.ts'

export interface SourceMapsDeps {
  readonly sql: Sql
  readonly threads: Pick<Threads, 'run'>
  readonly settings: Pick<IssuesSettings, 'maxSourceMapMib' | 'sourceMapsMib'>
  readonly now: () => Date
}

/** What was uploaded of a release. */
export interface ReleaseMaps {
  /** Empty for files of no release. */
  readonly release: string
  readonly files: number
  readonly sizeBytes: number
  readonly uploadedAt: Date
}

/** The uploaded source maps. */
export interface SourceMaps {
  /**
   * Keeps the source map of a built file, in place of one that it had.
   *
   * @param content gzip
   * @returns its SHA-256
   * @throws CLEW_ISSUES_SOURCE_MAP, CLEW_ISSUES_BUSY
   */
  upload(file: Omit<BuiltFile, 'hash'>, content: Buffer): Promise<string>
  releases(): Promise<readonly ReleaseMaps[]>
  /** @throws CLEW_ISSUES_NO_RELEASE */
  delete(release: string): Promise<void>
}

const mib = 1024 ** 2

export function createSourceMaps({ sql, threads, settings, now }: SourceMapsDeps): SourceMaps {
  const cleanUp = () => sql.query(deleteMapsStatement(settings.sourceMapsMib * mib))
  return {
    async upload(file, content) {
      const input: TraceTask = { content, maxBytes: settings.maxSourceMapMib * mib, places: [] }
      const task = { module: traceModule, input, transfer: [], sizeBytes: content.length }
      const { hash, sizeBytes } = await threads.run<Traced>(task).catch((cause: unknown) => {
        throw cause instanceof TasksFull || cause instanceof TaskEnded
          ? issuesError('CLEW_ISSUES_BUSY', { cause })
          : cause
      })
      const at = now()
      await sql.transaction(async (tx) => {
        await tx.query(insertMapStatement(hash, content, sizeBytes, at))
        await tx.query(upsertBuiltFileStatement({ ...file, hash }, at))
      })
      await cleanUp()
      return hash
    },
    releases: async () => (await sql.query<ReleaseMaps>(selectReleasesOfMapsStatement())).rows,
    async delete(release) {
      const { rowCount } = await sql.query(deleteReleaseStatement(release))
      if (rowCount === 0) throw issuesError('CLEW_ISSUES_NO_RELEASE')
      await cleanUp()
    },
  }
}
