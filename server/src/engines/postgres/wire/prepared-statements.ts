import type { Connection } from 'pg'
import { defaultStatementsPerConnection } from '../options.ts'
import { type Prepared, unnamed } from './pipelined-batch.ts'

/** A statement, and the count of look-ups at its last use. */
interface Entry {
  readonly prepared: Prepared
  usedAt: number
}

/** The prepared statements of one connection, by text and role; the least recently used is closed first. */
export class PreparedStatements {
  private readonly byRole = new Map<string, Map<string, Entry>>()
  private dropped: string[] = []
  private count = 0
  private lookups = 0
  private size = 0
  private readonly capacity: number

  /** @param capacity 0 behind a pooler that gives each transaction another connection: all are unnamed then */
  constructor(capacity = defaultStatementsPerConnection) {
    this.capacity = capacity
  }

  /**
   * The statement for a text and the role that runs it. Roles do not share one: PostgreSQL would plan it again at each
   * change of role, as row security gives each role its own plan.
   */
  get(text: string, role: string): Prepared {
    if (this.capacity === 0) return unnamed(text, role)
    this.lookups += 1
    // Two maps, not one by a joined key: to join them each time costs more than the look-up.
    let byText = this.byRole.get(role)
    const known = byText?.get(text)
    if (known !== undefined) {
      known.usedAt = this.lookups
      return known.prepared
    }
    this.count += 1
    const prepared: Prepared = { name: `c${this.count}`, text, role, parsed: false, columns: [], parameterTypeIds: [] }
    if (byText === undefined) {
      byText = new Map()
      this.byRole.set(role, byText)
    }
    byText.set(text, { prepared, usedAt: this.lookups })
    this.size += 1
    if (this.size > this.capacity) this.dropOldest()
    return prepared
  }

  /** Whether the statement is prepared, for the role that runs it. */
  knows(text: string, role: string): boolean {
    return this.byRole.get(role)?.get(text)?.prepared.parsed === true
  }

  /** Names to close with the next batch. */
  get toClose(): readonly string[] {
    return this.dropped
  }

  /** Returns the names to close, and counts them as closed. */
  takeDropped(): readonly string[] {
    const names = this.dropped
    if (names.length > 0) this.dropped = []
    return names
  }

  /** Gives a failed statement a new name next time: the server may or may not know the old one. */
  forget(prepared: Prepared): void {
    if (this.remove(prepared)) this.dropped.push(prepared.name)
  }

  /** Closes all. */
  dropAll(): void {
    for (const byText of this.byRole.values())
      for (const { prepared } of byText.values()) if (prepared.parsed) this.dropped.push(prepared.name)
    this.byRole.clear()
    this.size = 0
  }

  private dropOldest(): void {
    let oldest: Entry | null = null
    for (const byText of this.byRole.values())
      for (const entry of byText.values()) if (oldest === null || entry.usedAt < oldest.usedAt) oldest = entry
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
