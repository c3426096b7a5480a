import type { BulkConnection } from '../../engines/postgres/index.ts'
import { type DumpHeader, withoutComments } from './dump-header.ts'
import type { ObjectRows } from './keep-objects.ts'
import type { Origin } from './managed.ts'
import type { TargetFacts } from './plan-statement.ts'
import type { ImportReport } from './report.ts'
import type { Steps } from './steps.ts'

/** What the pieces of one import share. */
export interface ImportContext {
  readonly target: BulkConnection
  readonly origin: Origin
  readonly facts: TargetFacts
  /** Roles of the target, and those that the import has made. */
  readonly roles: Set<string>
  readonly mayReplicate: boolean
  readonly steps: Steps
  readonly objects: ObjectRows
  readonly report: ImportReport
  readonly progress: (line: string) => void
  /** The dump's comment above the present statement; null where there is none. */
  header: DumpHeader | null
}

/** Whether these are the rows of stored objects, which are kept until their files have come. */
export const areObjects = (schema: string, table: string): boolean => schema === 'storage' && table === 'objects'

/** The note on rows whose columns a dump does not name. */
export const unnamedColumns = (table: string): string =>
  `Left out: rows of ${table}, whose columns the dump does not name (pg_dump --column-inserts does).`

const shownLength = 80

/** What a statement is, for progress and report. */
export function describe(header: DumpHeader | null, text: string): string {
  const [line = ''] = withoutComments(text).split('\n')
  const start = line.slice(0, shownLength)
  return header === null
    ? start
    : `${header.type.toLowerCase()} ${header.schema ?? ''} ${header.name}: ${start}`.replace('  ', ' ')
}
