import { type FileHandle, open } from 'node:fs/promises'
import { parseRecord, type StoredRecord } from './record.ts'
import { listSegments, maxRecordBytes, type Position, readAt, segmentPath } from './segments.ts'

/** When a batch is large enough; the record that crosses a limit still belongs to it. */
export interface BatchLimits {
  readonly rows: number
  readonly bytes: number
}

export interface ReadBatch {
  readonly records: readonly StoredRecord[]
  readonly rows: number
  /** Bytes of the spool that lie behind, damaged ones included. */
  readonly bytes: number
  /** Where the next batch begins. */
  readonly next: Position
  /** Bytes that could not be read as records: a write that failed before it was answered. */
  readonly damagedBytes: number
}

/** Reads committed records in the order in which they were written. */
export interface SpoolReader {
  /** @param end read no further: what lies behind is not committed yet */
  read(from: Position, end: Position, limits: BatchLimits): Promise<ReadBatch>
  close(): Promise<void>
}

const chunkBytes = 4 * 1024 * 1024

/** Opens segments one at a time and keeps the one it reads from open. */
export function createSpoolReader(folder: string): SpoolReader {
  let opened: { readonly segment: number; readonly file: FileHandle } | null = null

  const close = async (): Promise<void> => {
    const file = opened?.file
    opened = null
    await file?.close()
  }

  const fileOf = async (segment: number): Promise<FileHandle | null> => {
    if (opened?.segment === segment) return opened.file
    await close()
    try {
      opened = { segment, file: await open(segmentPath(folder, segment), 'r') }
      return opened.file
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw cause
    }
  }

  const endOf = async (segment: number, end: Position): Promise<number> => {
    if (segment === end.segment) return end.offset
    const file = await fileOf(segment)
    return file === null ? 0 : (await file.stat()).size
  }

  const segmentAfter = async (segment: number, end: Position): Promise<number> =>
    (await listSegments(folder)).find((candidate) => candidate > segment && candidate < end.segment) ?? end.segment

  return {
    close,
    async read(from, end, limits) {
      const records: StoredRecord[] = []
      let { segment, offset } = from
      let rows = 0
      let bytes = 0
      let damagedBytes = 0
      let want = chunkBytes
      while (rows < limits.rows && bytes < limits.bytes) {
        const available = (await endOf(segment, end)) - offset
        if (available <= 0) {
          if (segment >= end.segment) break
          segment = await segmentAfter(segment, end)
          offset = 0
          continue
        }
        const file = await fileOf(segment)
        const chunk = file === null ? Buffer.alloc(0) : await readAt(file, offset, Math.min(want, available))
        want = chunkBytes
        let at = 0
        while (rows < limits.rows && bytes < limits.bytes) {
          const parsed = parseRecord(chunk, at, maxRecordBytes)
          if (parsed.kind === 'record') {
            records.push(parsed.record)
            rows += parsed.record.rows
            bytes += parsed.record.sizeBytes
            at += parsed.record.sizeBytes
          } else if (parsed.kind === 'short' && at + parsed.needsBytes <= available && chunk.length > 0) {
            want = Math.max(chunkBytes, parsed.needsBytes)
            break
          } else {
            // A torn write stands at the end of a segment that was left for the next one: nothing follows it.
            if (at < available) damagedBytes += available - at
            bytes += available - at
            at = available
            break
          }
        }
        offset += at
      }
      return { records, rows, bytes, next: { segment, offset }, damagedBytes }
    },
  }
}
