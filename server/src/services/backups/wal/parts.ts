import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { messageOf } from '../../../ground/errors/message.ts'
import { backupsError } from '../errors.ts'
import type { BackupTarget } from '../target/target.ts'

/** Some bytes of a segment of the log. */
export interface WalPart {
  /** The segment's number: its place in the log by its size. */
  readonly segment: number
  readonly from: number
  readonly to: number
}

/** As it is in the target. */
export interface ListedPart extends WalPart {
  /** What it takes there, compressed. */
  readonly sizeBytes: number
}

/** What the names of all parts begin with. */
export const partsFolder = 'wal-parts/'

const folderOf = (stretchId: string): string => `${partsFolder}${stretchId}/`
const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

const nameOf = (stretchId: string, { segment, from, to }: WalPart): string =>
  `${folderOf(stretchId)}${hex(segment, 14)}-${hex(from, 8)}-${hex(to, 8)}.gz`

/** As `pg_receivewal` does by default: a level more costs twice the time for a tenth of the bytes. */
const level = 1

/** Stores a part, compressed. @returns the bytes that it takes */
export async function putPart(
  target: BackupTarget,
  stretchId: string,
  part: WalPart,
  bytes: Buffer,
  pace: (bytes: number) => Promise<void>,
): Promise<number> {
  const compressed = await promisify(gzip)(bytes, { level })
  await pace(compressed.length)
  await target.put(nameOf(stretchId, part), compressed)
  return compressed.length
}

/** The parts of a stretch in their order. */
export async function listParts(target: BackupTarget, stretchId: string): Promise<readonly ListedPart[]> {
  const folder = folderOf(stretchId)
  const parts: ListedPart[] = []
  for await (const { name, sizeBytes } of target.list(folder)) {
    const [, segment, from, to] =
      /^([0-9a-f]{14})-([0-9a-f]{8})-([0-9a-f]{8})\.gz$/.exec(name.slice(folder.length)) ?? []
    if (segment === undefined || from === undefined || to === undefined) continue
    parts.push({ segment: parseInt(segment, 16), from: parseInt(from, 16), to: parseInt(to, 16), sizeBytes })
  }
  return parts.sort((one, other) => one.segment - other.segment || one.from - other.from || other.to - one.to)
}

export const removePart = (target: BackupTarget, stretchId: string, part: WalPart): Promise<void> =>
  target.remove(nameOf(stretchId, part))

/** Those parts of one segment that make its beginning, one after another; later ones overlap where a put was repeated. */
export function beginningOf(parts: readonly WalPart[]): { readonly parts: readonly WalPart[]; readonly bytes: number } {
  const taken: WalPart[] = []
  let bytes = 0
  for (const part of parts) {
    if (part.from > bytes) break
    if (part.to <= bytes) continue
    taken.push(part)
    bytes = part.to
  }
  return { parts: taken, bytes }
}

/**
 * The beginning of a segment, as far as parts of it are kept.
 *
 * @param parts of one segment, in their order
 * @throws CLEW_BACKUP_DAMAGED
 */
export async function readSegment(
  target: Pick<BackupTarget, 'get'>,
  stretchId: string,
  parts: readonly WalPart[],
): Promise<Buffer> {
  const beginning = beginningOf(parts)
  const segment = Buffer.alloc(beginning.bytes)
  for (const part of beginning.parts) {
    const name = nameOf(stretchId, part)
    const bytes = await promisify(gunzip)(await target.get(name)).catch((cause: unknown) => {
      throw backupsError('CLEW_BACKUP_DAMAGED', { message: `${name}: ${messageOf(cause)}`, cause })
    })
    if (bytes.length !== part.to - part.from)
      throw backupsError('CLEW_BACKUP_DAMAGED', { message: `${name} has ${bytes.length} bytes.` })
    bytes.copy(segment, part.from)
  }
  return segment
}
