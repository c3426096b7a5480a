import type { Connection } from 'pg'
import { type Bound, encodeClose, encodeParse, encodeSteps } from './protocol.ts'
import { wireValue } from './values.ts'

/** A statement prepared on one connection; an empty name is PostgreSQL's unnamed statement. */
export interface Prepared {
  readonly name: string
  readonly text: string
  /** The role that runs it, or `own` for Clew's own statements. */
  readonly role: string
  parsed: boolean
  columns: readonly string[]
  parameterTypeIds: readonly number[]
}

/** The unnamed statement, which is parsed each time. */
export const unnamed = (text: string, role: string): Prepared => ({
  name: '',
  text,
  role,
  parsed: false,
  columns: [],
  parameterTypeIds: [],
})

export interface Step {
  readonly prepared: Prepared
  readonly values: readonly unknown[]
}

export interface StepResult {
  readonly rows: Record<string, string | null>[]
  rowCount: number
}

/** How a batch ended. The connection takes the next one in either case, unless it is lost. */
export type BatchResult =
  | { readonly kind: 'done'; readonly results: readonly StepResult[]; readonly ms: number }
  | {
      readonly kind: 'failed'
      readonly error: unknown
      readonly step: number
      readonly ms: number
      /** The connection ended while the server ran the batch, or before its turn, when nothing of it was done. */
      readonly lost: 'running' | 'queued' | null
    }

/**
 * Several statements sent at once and ended by one Sync: together one implicit transaction, unless they begin one.
 * Its result arrives with ReadyForQuery: the connection is free for the next caller then. `Pipeline` sends it.
 *
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class PipelinedBatch {
  readonly result: Promise<BatchResult>
  private readonly steps: readonly Step[]
  private readonly results: StepResult[]
  /** Encoded before the batch joins others on a connection: a value that cannot be encoded must not leave half a batch. */
  private bytes: Buffer | null
  private at = 0
  private settle: (result: BatchResult) => void = () => undefined

  /** @param bytes of its steps, see `encodeBatch`, or of a text whose results are dropped */
  constructor(steps: readonly Step[], bytes: Buffer) {
    this.steps = steps
    this.bytes = bytes
    this.results = steps.map(() => ({ rows: [], rowCount: 0 }))
    this.result = new Promise((resolve) => {
      this.settle = resolve
    })
  }

  write(connection: Connection): void {
    if (this.bytes !== null) connection.stream.write(this.bytes)
    this.bytes = null
  }

  parametersDescribed(typeIds: readonly number[]): void {
    const step = this.steps[this.at]
    if (step !== undefined) step.prepared.parameterTypeIds = typeIds
  }

  rowsDescribed(columns: readonly string[]): void {
    const step = this.steps[this.at]
    if (step !== undefined) step.prepared.columns = columns
  }

  row(values: readonly (string | null)[]): void {
    const columns = this.steps[this.at]?.prepared.columns ?? []
    const row: Record<string, string | null> = {}
    for (let index = 0; index < columns.length; index += 1) row[columns[index] ?? ''] = values[index] ?? null
    this.results[this.at]?.rows.push(row)
  }

  /** @param tag of CommandComplete, `INSERT 0 3` for one; null for an empty or suspended statement */
  stepDone(tag: string | null): void {
    const result = this.results[this.at]
    if (result !== undefined && tag !== null) result.rowCount = affectedRows(tag)
    const step = this.steps[this.at]
    if (step !== undefined) step.prepared.parsed = step.prepared.name !== ''
    this.at += 1
  }

  complete(ms: number): void {
    this.settle({ kind: 'done', results: this.results, ms })
  }

  fail(error: unknown, ms: number, lost: 'running' | 'queued' | null): void {
    this.settle({ kind: 'failed', error, step: this.at, ms, lost })
  }
}

const bind = ({ prepared: { name }, values }: Step): Bound => ({ name, values: values.map(wireValue) })

/**
 * The messages of a batch: Close, Parse where a statement is not prepared yet, Bind, Execute and the Sync.
 *
 * @param closing names of statements that this connection no longer keeps
 * @throws POSTGRES_TOO_MANY_VALUES, and the error of a value that has no text form
 */
export function encodeBatch(steps: readonly Step[], closing: readonly string[] = []): Buffer {
  if (closing.length === 0 && steps.every(({ prepared }) => prepared.parsed)) return encodeSteps(steps.map(bind), true)
  const parts = closing.map(encodeClose)
  let bound: Bound[] = []
  for (const step of steps) {
    const { name, text, parsed } = step.prepared
    if (!parsed) {
      // In its place: it is parsed with the role and search path that the steps before it have set.
      parts.push(encodeSteps(bound), encodeParse(name, text))
      bound = []
    }
    bound.push(bind(step))
  }
  return Buffer.concat([...parts, encodeSteps(bound, true)])
}

/** The number at the end of a command tag: `INSERT 0 3`, `SELECT 2`; 0 for `BEGIN`. */
function affectedRows(tag: string): number {
  const last = /(\d+)$/.exec(tag)?.[1]
  return last === undefined ? 0 : Number(last)
}
