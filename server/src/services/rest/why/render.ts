import { type Clause, decidingClauses, flatten, readable } from './clauses.ts'
import { type GateOutcome, type PolicyOutcome, passes } from './gates.ts'
import type { Look } from './look.ts'
import type { WhyAnswer, WhyLook } from './schemas.ts'
import type { Explanation } from './why.ts'

/** An explanation as the console's API answers it. */
export function renderExplanation({ findings, looks, recorded, claims, ...rest }: Explanation): WhyAnswer {
  return { ...rest, claims: { ...claims }, recorded, findings: [...findings], looks: looks.map(renderLook) }
}

function renderLook({ target, facts, existing, matching, visible, rows, gates }: Look): WhyLook {
  const { name, part, command } = target
  return {
    ...{ schema: name.schema, name: name.name, part, command, existing, matching, visible },
    rowSecurity: facts.rowSecurity,
    isAbove: facts.isAbove,
    rows: rows.map(({ key }, row) => ({ key, passes: gates.map((gate) => passes(gate, row)) })),
    gates: gates.map((gate) => ({
      command: gate.command,
      asks: gate.asks,
      policies: gate.policies.map(renderPolicy),
    })),
  }
}

function renderPolicy({ facts, clause, problem, rows }: GateOutcome['policies'][number]) {
  const { name, permissive, roles, isForCaller } = facts
  return {
    ...{ name, permissive, isForCaller, roles: [...roles], problem: problem?.message ?? null },
    clauses: clause === null ? [] : linesOf(clause, 0),
    rows: clause === null ? [] : rows.map((values) => rowOf(clause, values)),
  }
}

type ClauseLine = WhyLook['gates'][number]['policies'][number]['clauses'][number]

const readableOf = (text: string | null): string | null => (text === null ? null : readable(text))

function linesOf({ text, joined, parts, left, right }: Clause, depth: number): ClauseLine[] {
  const line = { text: readable(text), joined, left: readableOf(left), right: readableOf(right), depth }
  return [line, ...parts.flatMap((part) => linesOf(part, depth + 1))]
}

function rowOf(clause: Clause, { values, lefts, rights }: PolicyOutcome['rows'][number]) {
  // Where the clauses could not be asked for one by one, the first alone has a value.
  const known = values.length === flatten(clause).length
  const deciding = known ? decidingClauses(clause, values) : new Set<number>()
  return values.map((value, index) => ({
    value,
    left: lefts[index] ?? null,
    right: rights[index] ?? null,
    decides: deciding.has(index),
  }))
}
