import { performance } from 'node:perf_hooks'
import type { Connection, Submittable } from 'pg'
import pg from 'pg'
import type { PipelinedBatch } from './pipelined-batch.ts'

/**
 * The batches of one connection, one behind another. Each is written at once and ends in a Sync of its own, so that it is
 * a transaction of its own and its failure leaves the others alone. `pg` takes one query at a time and pipelines only its
 * own: all batches in flight are one query to it, submitted again for each result.
 */
export class Pipeline implements Submittable {
  private readonly client: pg.PoolClient
  private readonly batches: PipelinedBatch[] = []
  private isHeadUnwritten = false
  /** When the server could begin with the batch at the head. */
  private headSince = 0

  constructor(client: pg.PoolClient) {
    this.client = client
  }

  /** The batch that the server works on; null when there is none. */
  get head(): PipelinedBatch | null {
    return this.batches[0] ?? null
  }

  add(batch: PipelinedBatch): void {
    this.batches.push(batch)
    if (this.batches.length > 1) {
      batch.write(this.client.connection)
      return
    }
    this.isHeadUnwritten = true
    this.headSince = performance.now()
    this.client.query(this)
  }

  /** Two batches in one write. */
  addTogether(first: PipelinedBatch, second: PipelinedBatch): void {
    const { stream } = this.client.connection
    stream.cork()
    this.add(first)
    this.add(second)
    stream.uncork()
  }

  submit(connection: Connection): void {
    // The later batches were written when they were added.
    if (this.isHeadUnwritten) this.batches[0]?.write(connection)
    this.isHeadUnwritten = false
  }

  handleParameterDescription(typeIds: readonly number[]): void {
    this.batches[0]?.parametersDescribed(typeIds)
  }

  handleRowDescription(message: { readonly fields: readonly { readonly name: string }[] }): void {
    this.batches[0]?.rowsDescribed(message.fields.map((field) => field.name))
  }

  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void {
    this.batches[0]?.row(message.fields)
  }

  handleCommandComplete(message: { readonly text: string }): void {
    this.batches[0]?.stepDone(message.text)
  }

  handleEmptyQuery(): void {
    this.batches[0]?.stepDone(null)
  }

  handlePortalSuspended(): void {
    this.batches[0]?.stepDone(null)
  }

  handleCopyInResponse(connection: Connection & { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('COPY FROM STDIN cannot be run here.')
  }

  handleCopyData(): void {}

  handleReadyForQuery(): void {
    const ms = this.lap()
    this.batches.shift()?.complete(ms)
    this.submitNext()
  }

  /** A server's error arrives before ReadyForQuery, which a lost connection never sends. */
  handleError(error: unknown, connection: Connection): void {
    if (!(error instanceof pg.DatabaseError)) {
      this.lose(error)
      return
    }
    const ready = (): void => {
      connection.off('end', ended)
      const ms = this.lap()
      this.batches.shift()?.fail(error, ms, null)
      this.submitNext()
    }
    const ended = (): void => {
      connection.off('readyForQuery', ready)
      this.lose(error)
    }
    connection.once('readyForQuery', ready)
    connection.once('end', ended)
  }

  private submitNext(): void {
    if (this.batches.length > 0) this.client.query(this)
  }

  private lose(error: unknown): void {
    const ms = this.lap()
    this.batches.splice(0).forEach((batch, index) => {
      batch.fail(error, ms, index === 0 ? 'running' : 'queued')
    })
  }

  /** Milliseconds since the server could begin with the batch at the head; the next one begins now. */
  private lap(): number {
    const now = performance.now()
    const ms = now - this.headSince
    this.headSince = now
    return ms
  }
}
