import type { Threads } from '../../engines/threads/index.ts'
import type { ScannedEvents, SnapshotContext, SnapshotMessage } from '../../ground/model/recording.ts'
import type { MaskList } from '../../ground/privacy/masks.ts'
import type { Forget } from '../../ground/privacy/withdrawal.ts'

/** Where recordings are kept; given by the replay room. */
export interface RecordingsPort {
  /** The address of the module that exports `recordings`, whose `scan` and `toLine` work in any thread. */
  readonly module: string
  /** Reads the list of events that begins at `start` without parsing it; null where it must be parsed. */
  scan(bytes: Buffer, start: number, depth: number): ScannedEvents | null
  /** One JSONEachRow line in UTF-8, no newline in it; null when nothing of the message can be kept. */
  toLine(message: SnapshotMessage, context: SnapshotContext): Buffer | null
  /** Unpacks what browsers packed in blocks of such lines; a line that comes again becomes the same. */
  unpack(threads: Pick<Threads, 'run'>, blocks: readonly Buffer[]): Promise<readonly Buffer[]>
  /** How such lines are masked; null where nothing of them is. */
  rewrite(list: MaskList): ((line: string) => string) | null
  /**
   * Stores blocks of such lines, durably; lines that are stored twice are there once.
   *
   * @param options `onlyFitting` leaves out lines that do not fit, without which all lines are rejected with them
   */
  store(lines: readonly Buffer[], options?: { readonly onlyFitting: boolean }): Promise<void>
  /** Removes the recordings of visitors who withdrew their consent. */
  readonly forget: Forget
}
