import { type Clause, decidingClauses, flatten, parseClause } from './clauses.ts'
import type { Command, PolicyFacts, RelationFacts } from './facts.ts'

/** What row security asks of a row for one command: some permissive policy, and every restrictive one. */
export interface Gate {
  readonly command: Command
  /** Of rows that are there, or of rows as they would be written. */
  readonly asks: 'stored' | 'written'
  readonly policies: readonly GatePolicy[]
}

export interface GatePolicy {
  readonly facts: PolicyFacts
  /** Null for a policy that says nothing of these rows: it holds for all. */
  readonly clause: Clause | null
}

const gateOf = (facts: RelationFacts, command: Command, asks: Gate['asks']): Gate => ({
  command,
  asks,
  policies: facts.policies
    .filter((policy) => policy.command === command || policy.command === 'all')
    .map((policy) => {
      const expression = command === 'select' || asks === 'stored' ? policy.using : (policy.check ?? policy.using)
      return { facts: policy, clause: expression === null ? null : parseClause(expression) }
    }),
})

/**
 * The gates that a command's rows pass, in PostgreSQL's order. Rows that are looked for by a filter, or answered, are read:
 * they pass the gate of `select` as well.
 *
 * @see https://www.postgresql.org/docs/current/sql-createpolicy.html, "Policies Applied by Command Type"
 */
export function planGates(facts: RelationFacts, command: Command, reads: boolean): readonly Gate[] {
  if (!facts.rowSecurity || facts.isAbove) return []
  const read = reads || command === 'select' ? [gateOf(facts, 'select', 'stored')] : []
  if (command === 'select') return read
  // A row that is written and answered is read as well.
  if (command === 'insert')
    return [gateOf(facts, 'insert', 'written'), ...(reads ? [gateOf(facts, 'select', 'written')] : [])]
  if (command === 'delete') return [...read, gateOf(facts, 'delete', 'stored')]
  return [...read, gateOf(facts, 'update', 'stored'), gateOf(facts, 'update', 'written')]
}

/** What a policy's clauses were for one row, by their place in `flatten`. */
export interface ClauseValues {
  readonly values: readonly (boolean | null)[]
  readonly lefts: readonly (string | null)[]
  readonly rights: readonly (string | null)[]
}

/** A policy as it was for each row. */
export interface PolicyOutcome extends GatePolicy {
  /** The server's words where it could not be evaluated. */
  readonly problem: { readonly code: string; readonly message: string } | null
  /** In the order of the rows; empty where there is a problem or nothing to evaluate. */
  readonly rows: readonly ClauseValues[]
}

export interface GateOutcome extends Omit<Gate, 'policies'> {
  readonly policies: readonly PolicyOutcome[]
}

const holds = ({ clause, rows }: PolicyOutcome, row: number): boolean =>
  clause === null || rows[row]?.values[0] === true

/** Whether a row passes a gate. */
export function passes({ policies }: GateOutcome, row: number): boolean {
  const asked = policies.filter(({ facts }) => facts.isForCaller)
  const permissive = asked.filter(({ facts }) => facts.permissive)
  const restrictive = asked.filter(({ facts }) => !facts.permissive)
  return permissive.some((policy) => holds(policy, row)) && restrictive.every((policy) => holds(policy, row))
}

/** A clause that keeps a policy from being true of a row. */
export interface Reason {
  readonly gate: GateOutcome
  readonly policy: PolicyOutcome
  readonly clause: Clause
  readonly row: number
  readonly left: string | null
  readonly right: string | null
}

/** The clauses that keep rows from passing, of the policies that would let them. */
export function reasonsOf(gate: GateOutcome, row: number): readonly Reason[] {
  if (passes(gate, row)) return []
  const asked = gate.policies.filter((policy) => policy.facts.isForCaller && !holds(policy, row))
  const restrictive = asked.filter(({ facts }) => !facts.permissive)
  const isPermitted = gate.policies.some(
    (policy) => policy.facts.isForCaller && policy.facts.permissive && holds(policy, row),
  )
  // A row that some policy lets through is refused by the restrictive ones alone.
  return (isPermitted ? restrictive : asked).flatMap((policy) => {
    const { clause, rows } = policy
    const found = rows[row]
    if (clause === null || found === undefined) return []
    const clauses = flatten(clause)
    return [...decidingClauses(clause, found.values)].flatMap((index) => {
      const deciding = clauses[index]
      if (deciding === undefined) return []
      const [left = null, right = null] = [found.lefts[index], found.rights[index]]
      return { gate, policy, clause: deciding, row, left, right }
    })
  })
}
