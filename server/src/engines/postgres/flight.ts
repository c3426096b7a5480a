import type { Connection, Submittable } from 'pg'
import pg from 'pg'
import { wireValue } from './values.ts'
import { type Bound, encodeSteps } from './wire.ts'

/** A statement prepared on one connection; an empty name is PostgreSQL's unnamed statement. */
export interface Prepared {
  readonly name: string
  readonly text: string
  /** Who it is kept for: the role that runs it, or our own. */
  readonly role: string
  parsed: boolean
  columns: readonly string[]
  parameterTypeIds: readonly number[]
}

/** A statement that nobody keeps. */
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

/** How a flight landed; the connection is ready for the next in either case. */
export type Landing =
  | { readonly kind: 'done'; readonly results: readonly StepResult[] }
  | { readonly kind: 'failed'; readonly error: unknown; readonly step: number; readonly lost: boolean }

/** What `pg` gives beyond its types: messages of the server, and the status of the transaction with the last one. */
interface ReadyMessage {
  readonly status: string
}

/**
 * Several statements sent at once and ended by one Sync: together one implicit transaction, unless they begin one.
 * It lands when the server is ready again, so that whoever waits may hand the connection on.
 *
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class Flight implements Submittable {
  readonly landed: Promise<Landing>
  private readonly steps: readonly Step[]
  private readonly closing: readonly string[]
  private readonly results: StepResult[]
  private at = 0
  private settle: (landing: Landing) => void = () => undefined

  /** @param closing names of statements that this connection no longer keeps */
  constructor(steps: readonly Step[], closing: readonly string[] = []) {
    this.steps = steps
    this.closing = closing
    this.results = steps.map(() => ({ rows: [], rowCount: 0 }))
    this.landed = new Promise((resolve) => {
      this.settle = resolve
    })
  }

  submit(connection: Connection): void {
    if (this.closing.length === 0 && this.steps.every(({ prepared }) => prepared.parsed)) {
      connection.stream.write(encodeSteps(this.steps.map(bind), true))
      return
    }
    connection.stream.cork()
    try {
      for (const name of this.closing) connection.close({ type: 'S', name }, true)
      let bound: Bound[] = []
      for (const { prepared, values } of this.steps) {
        if (!prepared.parsed) {
          // In its place: it is read by the role and search path that the steps before it have set.
          if (bound.length > 0) connection.stream.write(encodeSteps(bound))
          bound = []
          connection.parse({ name: prepared.name, text: prepared.text, types: [] }, true)
          connection.describe({ type: 'S', name: prepared.name }, true)
        }
        bound.push(bind({ prepared, values }))
      }
      connection.stream.write(encodeSteps(bound, true))
    } finally {
      connection.stream.uncork()
    }
  }

  handleParameterDescription(typeIds: readonly number[]): void {
    const step = this.steps[this.at]
    if (step !== undefined) step.prepared.parameterTypeIds = typeIds
  }

  handleRowDescription(message: { readonly fields: readonly { readonly name: string }[] }): void {
    const step = this.steps[this.at]
    if (step !== undefined) step.prepared.columns = message.fields.map((field) => field.name)
  }

  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void {
    const columns = this.steps[this.at]?.prepared.columns ?? []
    const row: Record<string, string | null> = {}
    for (let index = 0; index < columns.length; index += 1) row[columns[index] ?? ''] = message.fields[index] ?? null
    this.results[this.at]?.rows.push(row)
  }

  handleCommandComplete(message: { readonly text: string }): void {
    const result = this.results[this.at]
    if (result !== undefined) result.rowCount = affectedRows(message.text)
    this.next()
  }

  handleEmptyQuery(): void {
    this.next()
  }

  handlePortalSuspended(): void {
    this.next()
  }

  handleCopyInResponse(connection: Connection & { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('COPY FROM STDIN cannot be run here.')
  }

  handleCopyData(): void {}

  handleReadyForQuery(): void {
    this.settle({ kind: 'done', results: this.results })
  }

  /** The server's refusal arrives before it is ready again; a lost connection will never be. */
  handleError(error: unknown, connection: Connection): void {
    const step = this.at
    if (!(error instanceof pg.DatabaseError)) {
      this.settle({ kind: 'failed', error, step, lost: true })
      return
    }
    const ready = (_message: ReadyMessage) => {
      connection.off('end', ended)
      this.settle({ kind: 'failed', error, step, lost: false })
    }
    const ended = () => {
      connection.off('readyForQuery', ready)
      this.settle({ kind: 'failed', error, step, lost: true })
    }
    connection.once('readyForQuery', ready)
    connection.once('end', ended)
  }

  private next(): void {
    const step = this.steps[this.at]
    if (step !== undefined) step.prepared.parsed = step.prepared.name !== ''
    this.at += 1
  }
}

const bind = ({ prepared: { name }, values }: Step): Bound => ({ name, values: values.map(wireValue) })

/** The number at the end of a command tag: `INSERT 0 3`, `SELECT 2`; 0 for `BEGIN`. */
function affectedRows(tag: string): number {
  const last = /(\d+)$/.exec(tag)?.[1]
  return last === undefined ? 0 : Number(last)
}
