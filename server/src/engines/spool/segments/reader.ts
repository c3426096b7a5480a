import { type FileHandle, open } from 'node:fs/promises'
import { type Damage, findNextRecord, setDamageAside } from './damage.ts'
import { parseRecord, type StoredRecord } from './record.ts'
import { listSegments, type Position, readAt, segmentPath } from './segments.ts'

/** The size of a batch; the record that crosses a limit still belongs to it. */
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
  /** What could not be read as records: a write that failed before it was answered, or damage. */
  readonly damage: readonly Damage[]
}

/** Reads committed records in the order in which they were written. */
export interface SpoolReader {
  /** @param end records behind it are not committed yet */
  read(from: Position, end: Position, limits: BatchLimits): Promise<ReadBatch>
  /** Copies damaged bytes to a file of their own; false when there is no room for more of them. */
  setAside(damage: Damage): Promise<boolean>
  close(): Promise<void>
}

export interface ReaderDeps {
  readonly folder: string
  /** How many targets there are. */
  readonly targets: number
  readonly damageFolder: string
  readonly damageLimitBytes: number
}

const chunkBytes = 4 * 1024 * 1024

/** One segment is open at a time: the one that was read last. */
export function createSpoolReader({ folder, targets, damageFolder, damageLimitBytes }: ReaderDeps): SpoolReader {
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

  const segmentAfter = async (segment: number, end: Position): Promise<number> =>
    (await listSegments(folder)).find((candidate) => candidate > segment && candidate < end.segment) ?? end.segment

  return {
    close,
    async setAside(damage) {
      const file = await fileOf(damage.at.segment)
      return file === null ? false : setDamageAside(file, damage, damageFolder, damageLimitBytes)
    },
    async read(from, end, limits) {
      const records: StoredRecord[] = []
      const damage: Damage[] = []
      let { segment, offset } = from
      let rows = 0
      let bytes = 0
      let want = chunkBytes
      while (rows < limits.rows && bytes < limits.bytes) {
        const file = await fileOf(segment)
        const endOffset = segment === end.segment ? end.offset : file === null ? 0 : (await file.stat()).size
        const available = endOffset - offset
        if (file === null || available <= 0) {
          if (segment >= end.segment) break
          segment = await segmentAfter(segment, end)
          offset = 0
          continue
        }
        const chunk = await readAt(file, offset, Math.min(want, available))
        want = chunkBytes
        let at = 0
        while (rows < limits.rows && bytes < limits.bytes && at < available) {
          const parsed = parseRecord(chunk, at, targets)
          if (parsed.kind === 'record') {
            records.push(parsed.record)
            rows += parsed.record.rows
            bytes += parsed.record.sizeBytes
            at += parsed.record.sizeBytes
          } else if (parsed.kind === 'short' && at + parsed.needsBytes <= available && chunk.length > 0) {
            want = Math.max(chunkBytes, parsed.needsBytes)
            break
          } else {
            const place = offset + at
            const next = await findNextRecord(file, place + 1, endOffset, targets)
            damage.push({ at: { segment, offset: place }, bytes: next - place })
            bytes += next - place
            at += next - place
            // What goes on there may lie beyond this chunk.
            break
          }
        }
        offset += at
      }
      return { records, rows, bytes, next: { segment, offset }, damage }
    },
  }
}
