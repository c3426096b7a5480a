import type { RenderedRecord, Spool, SpoolRecord } from '../../../engines/spool/index.ts'
import { movable, TaskEnded, TasksFull, type Threads, taskModule } from '../../../engines/threads/index.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { otlpError } from '../errors.ts'
import { type OtlpTarget, targetOf } from '../rows/targets.ts'
import type { Rejected } from '../wire/answers.ts'
import type { Signal } from '../wire/model.ts'
import type { TakeLimits } from './limits.ts'
import { planBody, type SentBody, unpackBody } from './read.ts'
import type { TakeTask, TakeTaskValue } from './task.ts'

export interface TakeDeps {
  readonly spool: Pick<Spool<OtlpTarget>, 'append'>
  readonly threads: Pick<Threads, 'run'>
  readonly limits: TakeLimits
  readonly retryAfterSeconds: number
  readonly now: () => Date
}

/** How many spans and log records were taken, and rejected, since the start. */
export interface TakeCounts {
  readonly taken: number
  readonly rejected: number
}

/** Takes batches: when a call resolves, its records are on the disk. */
export interface Take {
  /**
   * @returns what of the batch was rejected; null: nothing
   * @throws  every error of the catalogue
   */
  take(sent: SentBody, body: Buffer): Promise<Rejected | null>
  counts(): TakeCounts
}

/** What is to be stored of a batch; null where nothing is. */
interface Planned {
  readonly record: SpoolRecord<OtlpTarget> | RenderedRecord<OtlpTarget> | null
  readonly rejected: Readonly<Record<string, number>>
}

/** How large a body may be, packed and unpacked, to be read on the event loop: some 10 ms at worst, whatever it holds. */
const inlineBytes = 64 * 1024

const task = taskModule('./task', import.meta.url)

/** Unpack, read, plan; then one write. Large bodies are read in a thread. */
export function createTake({ spool, threads, limits, retryAfterSeconds, now }: TakeDeps): Take {
  const retryLater = { 'retry-after': String(retryAfterSeconds) }
  let taken = 0
  let rejectedSoFar = 0

  const readHere = (plain: Buffer, sent: SentBody): Planned => {
    const { lines, rejected } = planBody(plain, sent, limits, now().getTime())
    const record = { target: targetOf(sent.signal), rows: lines.length, lines: lines.join('\n') }
    return { record: lines.length === 0 ? null : record, rejected }
  }

  const readApart = async (bytes: Buffer, sent: SentBody): Promise<Planned> => {
    const body = movable(bytes)
    const input: TakeTask = { sent, body, limits, nowMs: now().getTime() }
    const { rows, parts, rejected } = await threads
      .run<TakeTaskValue>({ module: task, input, transfer: [body], sizeBytes: body.byteLength })
      .catch((cause: unknown) => {
        throw taskError(cause, retryLater)
      })
    const frame = parts.map((part) => Buffer.from(part))
    return { record: rows === 0 ? null : { target: targetOf(sent.signal), rows, frame }, rejected }
  }

  return {
    async take(sent, body) {
      const plain = await unpackSmall(sent, body, limits.maxBodyBytes)
      const { record, rejected } = plain === null ? await readApart(body, sent) : readHere(plain, sent)
      if (record !== null) {
        const hasRoom = await spool.append([record]).catch((cause: unknown) => {
          throw otlpError('CLEW_OTLP_UNWRITABLE', { headers: retryLater, cause })
        })
        if (!hasRoom) throw otlpError('CLEW_OTLP_FULL', { headers: retryLater })
      }
      const summary = rejectionOf(rejected, sent.signal)
      taken += record?.rows ?? 0
      rejectedSoFar += summary?.count ?? 0
      return summary
    },
    counts: () => ({ taken, rejected: rejectedSoFar }),
  }
}

/** The body where it is small enough to be read on the event loop; else null. */
async function unpackSmall({ contentEncoding }: SentBody, body: Buffer, limitBytes: number): Promise<Buffer | null> {
  if (body.length > inlineBytes) return null
  return unpackBody(contentEncoding, body, Math.min(inlineBytes, limitBytes)).catch((error: unknown) => {
    if (limitBytes > inlineBytes && error instanceof ServiceError && error.code === 'CLEW_OTLP_TOO_LARGE') return null
    throw error
  })
}

/** The answer when a thread could not read a body. */
function taskError(cause: unknown, headers: Readonly<Record<string, string>>): unknown {
  if (cause instanceof TaskEnded && cause.isOutOfMemory) return otlpError('CLEW_OTLP_TOO_LARGE', { cause })
  if (cause instanceof TasksFull || cause instanceof TaskEnded) return otlpError('CLEW_OTLP_BUSY', { headers, cause })
  return cause
}

/** What was rejected, in a sentence for the log of the sender. */
function rejectionOf(rejected: Readonly<Record<string, number>>, signal: Signal): Rejected | null {
  const reasons = Object.entries(rejected)
  if (reasons.length === 0) return null
  const what = signal === 'traces' ? 'spans' : 'log records'
  const parts = reasons.map(([reason, rows]) => `${rows} ${reason}`)
  return {
    count: reasons.reduce((total, [, rows]) => total + rows, 0),
    message: `Some ${what} were not taken: ${parts.join(', ')}.`,
  }
}
