import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { messageOf } from '../../ground/errors/message.ts'
import type { JsonObject } from '../../ground/json/object.ts'
import { type Checkpoint, openCheckpoint } from './checkpoint.ts'
import { findFiles } from './find-files.ts'
import { kindOf, type SourceKind, sourceKinds } from './kinds.ts'
import { mapEvent, mapFlag, mapPerson, mapRecording, withCohorts } from './map-rows.ts'
import { keepReject, keptRejects } from './rejects.ts'
import { countReject, type PosthogReport, startReport } from './report.ts'
import { readRows, type SourceRow } from './rows.ts'

/** The part of an instance's console API that an import calls. */
export interface ImportTarget {
  send(method: string, path: string, body?: unknown): Promise<unknown>
}

export interface PosthogImportOptions {
  readonly paths: readonly string[]
  readonly target: ImportTarget
  /** Reads and maps everything, and sends nothing. */
  readonly isDryRun: boolean
  /** Where it is noted how far each file is; the rejects are written beside it, with `.rejects.jsonl` at the end. */
  readonly checkpointPath: string
  readonly progress: (line: string) => void
  readonly nowMs: () => number
  /** How long to wait after each failure of a batch, in milliseconds; after the last the import ends. */
  readonly retryDelaysMs: readonly number[]
}

const batchRows = 1000
const batchBytes = 4 * 1024 * 1024
const personsBytes = 1024 * 1024
const pack = promisify(gzip)

/**
 * Imports files of PostHog's: persons, then events, cohorts, flags and recordings. Rows that cannot be imported are written
 * beside the checkpoint, with the reason; a second run goes on where the first one ended.
 *
 * @throws CLEW_IMPORT_FILE, and what the instance refuses a whole batch with
 */
export async function importPosthog(options: PosthogImportOptions): Promise<PosthogReport> {
  const files = await sortFiles(await findFiles(options.paths))
  const checkpoint = await openCheckpoint(options.checkpointPath)
  const report = startReport(`${options.checkpointPath}.rejects.jsonl`)
  for (const file of files.unknown) report.unknown.push(file)
  const run: Run = {
    options,
    checkpoint,
    report,
    hasPersons: files.byKind.persons.length > 0,
    startedMs: options.nowMs(),
  }
  if (!options.isDryRun) {
    const known = new Set(Object.values(files.byKind).flat())
    report.resumedRejects = await keptRejects(report.rejectsPath, known, checkpoint)
    await options.target.send('POST', '/imports', { source: `PostHog: ${options.paths.join(', ')}`.slice(0, 200) })
  }
  for (const kind of sourceKinds) for (const file of files.byKind[kind]) await importFile(file, kind, run)
  return report
}

interface Run {
  readonly options: PosthogImportOptions
  readonly checkpoint: Checkpoint
  readonly report: PosthogReport
  readonly hasPersons: boolean
  readonly startedMs: number
}

async function sortFiles(files: readonly string[]) {
  const byKind: Record<SourceKind, string[]> = { persons: [], events: [], cohorts: [], flags: [], recordings: [] }
  const unknown: string[] = []
  for (const file of files) {
    let kind: SourceKind | null = null
    for await (const { row } of readRows(file, 0)) {
      kind = row === null ? null : kindOf(row)
      break
    }
    if (kind === null) unknown.push(file)
    else byKind[kind].push(file)
  }
  return { byKind, unknown }
}

/** A row of the file on its way, as one line of a batch or several. */
interface Pending {
  readonly source: SourceRow
  readonly lines: readonly JsonObject[]
}

async function importFile(file: string, kind: SourceKind, run: Run): Promise<void> {
  const { options, checkpoint, report } = run
  const skip = options.isDryRun ? 0 : checkpoint.rowsOf(file)
  report.resumed += skip
  let batch: Pending[] = []
  let bytes = 0
  // Of the first row that is not done: what is done costs next to nothing.
  let firstShare = 1
  let startedMs = options.nowMs()
  const flush = async (next: number, share: number) => {
    await sendBatch(kind, batch, file, run)
    if (!options.isDryRun) await checkpoint.keepRows(file, next)
    batch = []
    bytes = 0
    options.progress(
      progressOf(file, { from: firstShare, to: share, seconds: (options.nowMs() - startedMs) / 1000 }, run),
    )
  }
  let last: SourceRow | null = null
  for await (const source of readRows(file, skip)) {
    if (last === null) {
      firstShare = source.share
      startedMs = options.nowMs()
    }
    last = source
    const lines = source.row === null ? null : linesOf(kind, source.row, source.text)
    if (lines === null)
      await reject(run, { file, kind, source, reason: source.row === null ? 'no_json' : `no ${kind}` })
    else {
      batch.push({ source, lines })
      bytes += source.text.length
    }
    const isFull = batch.length >= batchRows || bytes >= (kind === 'persons' ? personsBytes : batchBytes)
    if (isFull || kind === 'cohorts' || kind === 'flags' || kind === 'recordings')
      await flush(source.next, source.share)
  }
  if (last !== null) await flush(last.next, 1)
}

function linesOf(kind: SourceKind, row: JsonObject, text: string): readonly JsonObject[] | null {
  if (kindOf(row) !== kind) return null
  if (kind === 'events') return [mapEvent(row, text)]
  return kind === 'persons' ? mapPerson(row) : [row]
}

async function sendBatch(kind: SourceKind, batch: readonly Pending[], file: string, run: Run): Promise<void> {
  if (batch.length === 0) return
  switch (kind) {
    case 'events':
    case 'persons':
      return sendLines(kind, batch, file, run)
    case 'flags':
    case 'cohorts':
    case 'recordings':
      for (const { source } of batch) await sendOne(kind, source, file, run)
      return
    default:
      kind satisfies never
  }
}

interface Outcome {
  readonly accepted: number
  readonly refused: readonly { readonly line: number; readonly reason: string }[]
}

async function sendLines(kind: 'events' | 'persons', batch: readonly Pending[], file: string, run: Run): Promise<void> {
  const { options, report, hasPersons } = run
  const sources = batch.flatMap(({ source, lines }) => lines.map(() => source))
  if (options.isDryRun) {
    report.imported[kind] += sources.length
    return
  }
  const text = batch.flatMap(({ lines }) => lines.map((line) => JSON.stringify(line))).join('\n')
  const path = kind === 'persons' ? '/imports/persons' : `/imports/events?identity=${hasPersons ? 'persons' : 'events'}`
  const body = await pack(text)
  const { accepted, refused } = (await again(options, () =>
    options.target.send('POST', path, Buffer.from(body)),
  )) as Outcome
  report.imported[kind] += accepted
  for (const { line, reason } of refused) {
    const source = sources[line]
    if (source !== undefined) await reject(run, { file, kind, source, reason })
  }
}

/** One that the instance refuses is named; the others go on. */
async function sendOne(
  kind: 'flags' | 'cohorts' | 'recordings',
  source: SourceRow,
  file: string,
  run: Run,
): Promise<void> {
  const { options, report } = run
  try {
    if (!options.isDryRun) await send(kind, source.row ?? {}, file, run)
    report.imported[kind] += 1
  } catch (error) {
    await reject(run, { file, kind, source, reason: messageOf(error) })
  }
}

async function send(kind: 'flags' | 'cohorts' | 'recordings', row: JsonObject, file: string, run: Run): Promise<void> {
  const { target } = run.options
  if (kind === 'flags') {
    const { flag, lost } = mapFlag(row)
    await target.send('POST', '/flags', { ...flag, filters: withCohorts(flag.filters, run.checkpoint.cohort) })
    if (lost.length > 0) run.report.notes.push(`flag ${String(row.key)}: without ${lost.join(', ')}`)
  } else if (kind === 'cohorts') {
    if (row.is_static === true) throw new Error('a list of persons: PostHog’s API does not name its members here')
    const filters = withCohorts(row.filters ?? null, run.checkpoint.cohort)
    const made = (await target.send('POST', '/cohorts', { name: row.name, filters })) as { readonly id: number }
    await run.checkpoint.keepCohort(Number(row.id), made.id)
  } else {
    const lines = mapRecording(row, sessionNamed(file))
    if (lines === null) throw new Error('it holds no snapshots')
    const { messages, stored, already } = (await target.send(
      'POST',
      '/recordings',
      await pack(`${lines.join('\n')}\n`),
    )) as {
      messages: number
      stored: number
      already: number
    }
    if (stored + already < messages)
      throw new Error(
        `${messages - stored - already} of ${messages} parts are past the retention, or of visitors who refused`,
      )
  }
}

/** `…/01998a5e-7b7c-7e3f-8a4e-3f6f0a1b2c30.json` names its session. */
const sessionNamed = (file: string): string => /([A-Za-z0-9-]{1,70})\.[^/]*$/.exec(file)?.[1] ?? ''

/** An instance that is busy, or starts again, takes a batch later. */
async function again<T>({ retryDelaysMs }: PosthogImportOptions, call: () => Promise<T>): Promise<T> {
  for (const delayMs of retryDelaysMs) {
    try {
      return await call()
    } catch (error) {
      if (!isPassing(error)) throw error
      await delay(delayMs)
    }
  }
  return call()
}

const isPassing = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'CLEW_CONSOLE_REFUSED' &&
  /moment|full|busy|much/i.test(error.message)

interface Rejected {
  readonly file: string
  readonly kind: SourceKind
  readonly source: SourceRow
  readonly reason: string
}

async function reject({ options, report }: Run, { file, kind, source, reason }: Rejected): Promise<void> {
  countReject(report, { kind, reason, where: `${file}:${source.next}` })
  if (options.isDryRun) return
  await keepReject(report.rejectsPath, { file, row: source.next, reason, text: source.text })
}

/** How much of a file was imported in this run, in which time. */
interface FileProgress {
  readonly from: number
  readonly to: number
  readonly seconds: number
}

function progressOf(file: string, { from, to, seconds: ofFile }: FileProgress, { options, report, startedMs }: Run) {
  const seconds = Math.max((options.nowMs() - startedMs) / 1000, 0.001)
  const rows = sourceKinds.reduce((sum, kind) => sum + report.imported[kind], 0)
  const done = to - from
  const left = done > 0.01 ? `, ${Math.ceil((ofFile * (1 - to)) / done)} s of this file left` : ''
  return `${file}  ${Math.floor(to * 100)} %  ${rows} rows, ${Math.round(rows / seconds)}/s${left}`
}
