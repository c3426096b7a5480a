import { renderRecord } from '../../../engines/spool/index.ts'
import { movable, type TaskOutput } from '../../../engines/threads/index.ts'
import { placeOf } from '../rows/targets.ts'
import type { TakeLimits } from './limits.ts'
import { planBody, type SentBody, unpackBody } from './read.ts'

/** A request whose body is large, as it moves to a thread. */
export interface TakeTask {
  readonly sent: SentBody
  readonly body: ArrayBuffer
  readonly limits: TakeLimits
  readonly nowMs: number
}

/** What comes back: the rows, rendered for the spool, in the parts of a frame; none where there are no rows. */
export interface TakeTaskValue {
  readonly rows: number
  readonly parts: readonly ArrayBuffer[]
  readonly rejected: Readonly<Record<string, number>>
}

/** Unpacks, reads and plans a request in a thread. @throws errors of the catalogue */
export async function run({ sent, body, limits, nowMs }: TakeTask): Promise<TaskOutput> {
  const plain = await unpackBody(sent.contentEncoding, Buffer.from(body), limits.maxBodyBytes)
  const { lines, rejected } = planBody(plain, sent, limits, nowMs)
  const rows = lines.length
  const frame = rows === 0 ? [] : renderRecord(placeOf(sent.signal), { rows, lines: lines.join('\n') })
  const parts = frame.map((part) => movable(part))
  return { value: { rows, parts, rejected } satisfies TakeTaskValue, transfer: parts }
}
