import { constants, write, writev } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { messageOf } from '../../../ground/errors/message.ts'
import { type Position, segmentPath, syncFolder } from './segments.ts'

/** What written records survive: `disk` a power cut, `kernel` the end of the process alone. */
export type Durability = 'disk' | 'kernel'

interface Waiting {
  readonly frames: readonly Buffer[]
  readonly bytes: number
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

export interface SegmentWriterDeps {
  readonly folder: string
  /** Number of the first segment to write; it must not exist. */
  readonly firstSegment: number
  readonly durability: Durability
  /** A segment is closed when it has grown to this size. */
  readonly segmentBytes: number
  /** Called after each group commit with the end of what is durable. */
  readonly committed: (end: Position, bytes: number) => void
}

/** Appends frames to segment files; all appends that wait while one durable write runs share the next. */
export interface SegmentWriter {
  /** Resolves when the frames, of so many bytes together, are on the disk, or with the kernel, as `durability` says. */
  append(frames: readonly Buffer[], bytes: number): Promise<void>
  /** Why the last write failed; null when it did not. */
  trouble(): string | null
  /** Resolves when nothing is being written. */
  idle(): Promise<void>
  close(): Promise<void>
}

const append = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL
/** With O_DSYNC a write returns when it is on the disk: a write and an `fdatasync` in one trip to the thread pool. */
const flags: Readonly<Record<Durability, number>> = { disk: append | constants.O_DSYNC, kernel: append }

/** Frames of together no more than this are copied into one: cheaper than to hand on each. */
const joinedBytes = 64 * 1024

/** The first segment file is created with the first record. */
export function createSegmentWriter({
  folder,
  firstSegment,
  durability,
  segmentBytes,
  committed,
}: SegmentWriterDeps): SegmentWriter {
  let waiting: Waiting[] = []
  let running: Promise<void> | null = null
  let segment = firstSegment
  let offset = 0
  let file: FileHandle | null = null
  let trouble: string | null = null

  const leaveSegment = async (): Promise<void> => {
    const left = file
    file = null
    // A segment that could not be made is tried again under its number.
    if (left !== null) segment += 1
    offset = 0
    await left?.close()
  }

  const commit = async (group: readonly Waiting[]): Promise<void> => {
    try {
      if (file === null) {
        file = await open(segmentPath(folder, segment), flags[durability], 0o600)
        if (durability === 'disk') await syncFolder(folder)
      }
      const frames = group.flatMap((one) => one.frames)
      const bytes = group.reduce((sum, one) => sum + one.bytes, 0)
      await writeAll(file.fd, bytes > joinedBytes ? frames : [Buffer.concat(frames, bytes)])
      offset += bytes
      trouble = null
      committed({ segment, offset }, bytes)
      for (const one of group) one.resolve()
      if (offset >= segmentBytes) await leaveSegment()
    } catch (cause) {
      trouble = messageOf(cause)
      // After a failed write the end of the file is unknown: the file is left as it is, its torn end is
      // found by the reader, and the next group begins a new segment.
      await leaveSegment().catch(() => undefined)
      for (const one of group) one.reject(cause)
    }
  }

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      await commit(group)
    }
    running = null
  }

  const idle = async (): Promise<void> => {
    while (running !== null) await running
  }

  return {
    append(frames, bytes) {
      return new Promise((resolve, reject) => {
        waiting.push({ frames, bytes, resolve, reject })
        running ??= run()
      })
    },
    trouble: () => trouble,
    idle,
    async close() {
      await idle()
      await file?.close()
      file = null
    },
  }
}

/** One write for a group, again for the rest when the system took only a part. */
async function writeAll(fd: number, frames: readonly Buffer[]): Promise<void> {
  // IOV_MAX: Linux takes at most 1,024 buffers in one writev.
  for (let first = 0; first < frames.length; first += 1000) {
    let rest = frames.slice(first, first + 1000)
    while (rest.length > 0) {
      let bytesWritten = await writeSome(fd, rest)
      while (rest[0] !== undefined && bytesWritten >= rest[0].length) {
        bytesWritten -= rest[0].length
        rest = rest.slice(1)
      }
      if (rest[0] !== undefined && bytesWritten > 0) rest = [rest[0].subarray(bytesWritten), ...rest.slice(1)]
    }
  }
}

// Not `FileHandle.writev`, which costs ten times as much of the event loop's time (measured: 57 µs a write).
const writeSome = (fd: number, frames: readonly Buffer[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const done = (error: Error | null, bytesWritten: number): void =>
      error === null ? resolve(bytesWritten) : reject(error)
    const [only] = frames
    if (frames.length === 1 && only !== undefined) write(fd, only, 0, only.length, null, done)
    else writev(fd, frames, done)
  })
