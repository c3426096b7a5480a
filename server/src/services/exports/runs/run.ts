import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExportBucket, ExportedKind, ExportsDeps } from '../deps.ts'
import type { ExportRow, StoredTo } from '../store/exports.ts'
import {
  fileDoneStatement,
  type KindCount,
  openRunStatement,
  type PendingFile,
  pendingStatement,
  type RunRow,
  runDoneStatement,
  selectOpenRunStatement,
} from '../store/runs.ts'
import { cutSpan, findCutStatement, planFile, rowsOfFile, type Span } from './plan-file.ts'

/** Ended without a fault: the export was paused or removed, or another process has it. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** What was stored before a mask was set is not masked yet. */
export class NotMaskedYet extends Error {
  override readonly name = 'NotMaskedYet'
}

export type RunDeps = Pick<
  ExportsDeps,
  'sql' | 'clickhouse' | 'writeRows' | 'maskedTo' | 'folder' | 'now' | 'settings' | 'changed'
> & { readonly settleMs: number }

/** A run that a process works on. */
interface Work {
  readonly target: ExportRow
  readonly lease: string
  readonly signal: AbortSignal
}

/** The run of an export that goes on, or a new one. */
export async function openRun({ sql, now, settleMs }: RunDeps, target: ExportRow, nextAt: Date): Promise<RunRow> {
  const [open] = (await sql.query<RunRow>(selectOpenRunStatement(target.id))).rows
  if (open !== undefined) return open
  // What an insert has not finished yet has an earlier time than it is seen.
  const until = new Date(now().getTime() - settleMs)
  const [run] = (await sql.query<RunRow>(openRunStatement(target.id, until, nextAt))).rows
  if (run === undefined) throw new LeaseLost('The export was removed.')
  return run
}

/**
 * Exports what was stored since the last run, file by file, and keeps after each how far it is: what a crash interrupts is
 * written again under the name that it has.
 *
 * @throws LeaseLost, NotMaskedYet, and what database, engine and bucket throw
 */
export async function workOff(deps: RunDeps, work: Work, run: RunRow, bucket: ExportBucket): Promise<void> {
  const counts = { ...run.counts }
  const storedTo: Partial<Record<ExportedKind, string>> = { ...work.target.storedTo }
  let { pending } = run
  for (const kind of work.target.kinds) {
    for (;;) {
      work.signal.throwIfAborted()
      const file: PendingFile | null =
        pending?.kind === kind ? pending : await findNextFile(deps, work.target, kind, storedTo, run.until)
      pending = null
      if (file === null) break
      await keep(deps, pendingStatement(work.target.id, work.lease, run.id, file))
      const written = await exportFile(deps, work, file, bucket)
      const { files, rows, bytes } = counts[kind] ?? { files: 0, rows: 0, bytes: 0 }
      const count: KindCount =
        written === null
          ? { files, rows, bytes }
          : { files: files + 1, rows: rows + written.rows, bytes: bytes + written.bytes }
      await keep(deps, fileDoneStatement(work.target.id, work.lease, run.id, file, count))
      counts[kind] = count
      storedTo[kind] = file.to
      deps.changed()
    }
  }
  await deps.sql.query(runDoneStatement(run.id))
}

/** A statement that answers a row while the lease holds. */
async function keep({ sql }: RunDeps, statement: Parameters<RunDeps['sql']['query']>[0]): Promise<void> {
  if ((await sql.query(statement)).rows.length === 0) throw new LeaseLost('Another process has the export.')
}

/** The next file of a kind; null where the bucket has all that a run is to export. */
async function findNextFile(
  { clickhouse, settings: { rowsPerFile } }: RunDeps,
  { format, prefix }: ExportRow,
  kind: ExportedKind,
  storedTo: StoredTo,
  until: Date,
): Promise<PendingFile | null> {
  const before = storedTo[kind]
  const span: Span = { from: before === undefined ? null : new Date(before), to: until }
  if (span.from !== null && span.from >= until) return null
  if (kind === 'persons') return planFile(kind, format, prefix, span)
  const [cut] = await clickhouse.query<{ at: string }>(findCutStatement(kind, span, rowsOfFile(kind, rowsPerFile)))
  return planFile(kind, format, prefix, cutSpan(span, cut === undefined ? null : Number(cut.at)))
}

/** Writes a file on this machine and uploads it; null where it would have no rows. */
async function exportFile(
  { folder, writeRows, maskedTo }: RunDeps,
  { target, lease, signal }: Work,
  { kind, from, to, key }: PendingFile,
  bucket: ExportBucket,
): Promise<{ readonly rows: number; readonly bytes: number } | null> {
  const masked = await maskedTo()
  if (masked === null) throw new NotMaskedYet('What was stored before a mask was set is being masked.')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const out = join(folder, `${lease}.${target.format}`)
  await rm(out, { force: true })
  try {
    const isPersons = kind === 'persons'
    const span = isPersons
      ? { from: null, to: null }
      : { from: from === null ? null : new Date(from), to: new Date(to) }
    const written = await writeRows({ kind, format: target.format, ...span, out })
    // A mask that was set meanwhile: the file may have values from before it.
    if ((await maskedTo()) !== masked) throw new NotMaskedYet('A mask was set while a file was being written.')
    if (written.rows === 0) return null
    signal.throwIfAborted()
    const body = createReadStream(out)
    try {
      await bucket.upload(key, body, written.bytes)
    } finally {
      body.destroy()
    }
    return written
  } finally {
    await rm(out, { force: true })
  }
}
