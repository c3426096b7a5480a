import type { Connection } from 'pg'
import { type Prepared, unnamed } from './pipelined-batch.ts'

/** Enough for an application's own statements; PostgreSQL keeps a plan for each, a few ten kilobytes. */
const keptPerConnection = 200

/** A statement, and when it was asked for: the number of the asking. */
interface Kept {
  readonly prepared: Prepared
  usedAt: number
}

/** The statements that one connection keeps. */
export class PreparedStatements {
  private readonly byRole = new Map<string, Map<string, Kept>>()
  private dropped: string[] = []
  private count = 0
  private askings = 0
  private size = 0
  private readonly keeps: boolean

  /** @param keeps whether any is kept: behind a pooler that hands each transaction another connection none may be */
  constructor(keeps = true) {
    this.keeps = keeps
  }

  /**
   * The statement for a text and the role that runs it. One name shared by several roles would be planned anew at
   * each change of role, as row security gives each a plan of its own.
   */
  get(text: string, role: string): Prepared {
    if (!this.keeps) return unnamed(text, role)
    this.askings += 1
    // Two maps, not one by both names: joining them each time would cost more than the look.
    let byText = this.byRole.get(role)
    const known = byText?.get(text)
    if (known !== undefined) {
      known.usedAt = this.askings
      return known.prepared
    }
    this.count += 1
    const prepared: Prepared = { name: `c${this.count}`, text, role, parsed: false, columns: [], parameterTypeIds: [] }
    if (byText === undefined) {
      byText = new Map()
      this.byRole.set(role, byText)
    }
    byText.set(text, { prepared, usedAt: this.askings })
    this.size += 1
    if (this.size > keptPerConnection) this.dropOldest()
    return prepared
  }

  /** Whether the statement is prepared, for the role that runs it. */
  knows(text: string, role: string): boolean {
    return this.byRole.get(role)?.get(text)?.prepared.parsed === true
  }

  /** Names to close with the next flight. */
  get toClose(): readonly string[] {
    return this.dropped
  }

  /** The same, for a flight that closes them. */
  takeDropped(): readonly string[] {
    const names = this.dropped
    if (names.length > 0) this.dropped = []
    return names
  }

  /** A statement that failed may or may not be known to the server by its name: it gets a new one next time. */
  forget(prepared: Prepared): void {
    if (this.remove(prepared)) this.dropped.push(prepared.name)
  }

  /** Keeps none of them any longer. */
  dropAll(): void {
    for (const byText of this.byRole.values())
      for (const { prepared } of byText.values()) if (prepared.parsed) this.dropped.push(prepared.name)
    this.byRole.clear()
    this.size = 0
  }

  private dropOldest(): void {
    let oldest: Kept | null = null
    for (const byText of this.byRole.values())
      for (const kept of byText.values()) if (oldest === null || kept.usedAt < oldest.usedAt) oldest = kept
    if (oldest === null) return
    this.remove(oldest.prepared)
    if (oldest.prepared.parsed) this.dropped.push(oldest.prepared.name)
  }

  private remove({ role, text }: Prepared): boolean {
    const byText = this.byRole.get(role)
    if (byText?.delete(text) !== true) return false
    if (byText.size === 0) this.byRole.delete(role)
    this.size -= 1
    return true
  }
}

/** `pg` does not pass ParameterDescription to a query, but its connection emits it. */
export function onParameterDescription(connection: Connection, receive: (typeIds: readonly number[]) => void): void {
  connection.on('parameterDescription', (message: { readonly dataTypeIDs: readonly number[] }) => {
    receive(message.dataTypeIDs)
  })
}
