import { performance } from 'node:perf_hooks'
import type { Connection, Submittable } from 'pg'
import pg from 'pg'
import type { Flight } from './pipelined-batch.ts'

/**
 * The flights of one connection, one behind another: each is written at once and ends in a Sync of its own, so that each
 * is a transaction of its own and fails for itself. `pg` takes one query at a time, and pipelines its own kind only: to
 * it all flights that are underway are one query, asked anew for each answer.
 */
export class Pipeline implements Submittable {
  private readonly client: pg.PoolClient
  private readonly flights: Flight[] = []
  private takesOff = false
  /** When the last flight landed, or the first one took off. */
  private since = 0

  constructor(client: pg.PoolClient) {
    this.client = client
  }

  /** The flight that the server works on; null when none is underway. */
  get head(): Flight | null {
    return this.flights[0] ?? null
  }

  add(flight: Flight): void {
    this.flights.push(flight)
    if (this.flights.length > 1) {
      flight.write(this.client.connection)
      return
    }
    this.takesOff = true
    this.since = performance.now()
    this.client.query(this)
  }

  submit(connection: Connection): void {
    // What the later answers are to was written when it came.
    if (this.takesOff) this.flights[0]?.write(connection)
    this.takesOff = false
  }

  handleParameterDescription(typeIds: readonly number[]): void {
    this.flights[0]?.parametersDescribed(typeIds)
  }

  handleRowDescription(message: { readonly fields: readonly { readonly name: string }[] }): void {
    this.flights[0]?.rowsDescribed(message.fields.map((field) => field.name))
  }

  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void {
    this.flights[0]?.row(message.fields)
  }

  handleCommandComplete(message: { readonly text: string }): void {
    this.flights[0]?.stepDone(message.text)
  }

  handleEmptyQuery(): void {
    this.flights[0]?.stepDone(null)
  }

  handlePortalSuspended(): void {
    this.flights[0]?.stepDone(null)
  }

  handleCopyInResponse(connection: Connection & { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('COPY FROM STDIN cannot be run here.')
  }

  handleCopyData(): void {}

  handleReadyForQuery(): void {
    const ms = this.lap()
    this.flights.shift()?.land(ms)
    this.goOn()
  }

  /** The server's refusal arrives before it is ready again; a lost connection will never be. */
  handleError(error: unknown, connection: Connection): void {
    if (!(error instanceof pg.DatabaseError)) {
      this.lose(error)
      return
    }
    const ready = (): void => {
      connection.off('end', ended)
      const ms = this.lap()
      this.flights.shift()?.fail(error, ms, null)
      this.goOn()
    }
    const ended = (): void => {
      connection.off('readyForQuery', ready)
      this.lose(error)
    }
    connection.once('readyForQuery', ready)
    connection.once('end', ended)
  }

  private goOn(): void {
    if (this.flights.length > 0) this.client.query(this)
  }

  private lose(error: unknown): void {
    const ms = this.lap()
    this.flights.splice(0).forEach((flight, index) => {
      flight.fail(error, ms, index === 0 ? 'flying' : 'waiting')
    })
  }

  /** Milliseconds that the server had for the flight at the head. */
  private lap(): number {
    const now = performance.now()
    const ms = now - this.since
    this.since = now
    return ms
  }
}
