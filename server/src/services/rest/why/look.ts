import { isDatabaseError, type Session, type Sql } from '../../../engines/postgres/index.ts'
import { maskedText } from '../../../ground/privacy/masks.ts'
import type { Statement } from '../../../ground/sql/postgres.ts'
import type { SqlFragment } from '../../../ground/sql/sql.ts'
import type { QualifiedName, Relation } from '../cache/schema-cache.ts'
import { type Clause, flatten, hasSubquery, readsColumn } from './clauses.ts'
import { type Command, type RelationFacts, readRelation } from './facts.ts'
import { type ClauseValues, type Gate, type GateOutcome, type PolicyOutcome, planGates, reasonsOf } from './gates.ts'
import {
  aloneStatement,
  askAboveStatement,
  evaluateStatement,
  likeStatement,
  type Rows,
  sampleStatement,
  visibleStatement,
} from './statements.ts'

/** The server's own words. */
export interface Problem {
  readonly code: string
  readonly message: string
}

/** Runs a statement as the caller whose request is explained, reading only; what it refuses is an answer as well. */
export type AsCaller = (
  statement: Statement,
) => Promise<{ readonly rows: readonly Readonly<Record<string, string | null>>[]; readonly problem: Problem | null }>

export interface LookDeps {
  /** Reads the catalogues. */
  readonly sql: Pick<Sql, 'query'>
  /** Reads rows as the application's owner, whatever the policies say. */
  readonly reader: Pick<Sql, 'query'>
  readonly asCaller: AsCaller
  readonly role: string
  readonly claimsJson: string
  /** Rows that are looked at one by one. */
  readonly sampleRows: number
  /** Names of masked columns, in any table: an expression does not tell whose column it names. */
  readonly masked: ReadonlySet<string>
}

/** A condition of the request, with what it compares where that is a text. */
export interface LookCondition {
  readonly fragment: SqlFragment
  /** As the request said it. */
  readonly said: string
  readonly compared: { readonly column: string; readonly value: string } | null
}

/** What is looked at: rows of one relation, for one command. */
export interface Target {
  readonly name: QualifiedName
  readonly relation: Relation | undefined
  /** Whether the request names it, embeds it, or reads it through a view. */
  readonly part: 'target' | 'embed' | 'behind'
  readonly command: Command
  readonly conditions: readonly LookCondition[]
  /** Whether the written rows are answered. */
  readonly answersRows: boolean
  /** The JSON objects that were sent; null where they are not known. */
  readonly sent: readonly Readonly<Record<string, unknown>>[] | null
}

export interface SampleRow {
  readonly text: string
  readonly key: Readonly<Record<string, string | null>>
}

/** What was found of a relation's rows. */
export interface Look {
  readonly target: Target
  readonly facts: RelationFacts
  /** Rows that there are; up to 10,001 are counted, here and below. Null where they could not be read. */
  readonly existing: number | null
  readonly matching: number | null
  /** Rows that the caller is shown; null where PostgreSQL refuses. */
  readonly visible: number | null
  readonly problem: Problem | null
  readonly rows: readonly SampleRow[]
  readonly gates: readonly GateOutcome[]
  /** Conditions that alone leave no row, with a value that the column does have, where one is nearly the same. */
  readonly unmatched: readonly { readonly condition: LookCondition; readonly near: string | null }[]
  /** Clauses whose subquery finds something for a role above row security. */
  readonly hiddenInside: readonly string[]
}

const problemOf = (error: unknown): Problem => {
  if (!isDatabaseError(error)) throw error
  return { code: error.code, message: error.message }
}

/** The caller of a session, as `AsCaller`. */
export function callerOfSession(
  session: Session,
  call: Omit<Parameters<Session['run']>[0], 'statement' | 'readOnly' | 'attribute' | 'end' | 'context'>,
): AsCaller {
  return async (statement) => {
    try {
      const run = { ...call, statement, readOnly: true, attribute: false, end: 'rollback', context: null } as const
      const { rows } = await session.run<Record<string, string | null>>(run)
      return { rows, problem: null }
    } catch (error) {
      return { rows: [], problem: problemOf(error) }
    }
  }
}

/** Looks at a relation as its caller and as its owner. @returns null for one that is gone */
export async function look(deps: LookDeps, target: Target): Promise<Look | null> {
  const facts = await readRelation(deps.sql, target.name, deps.role)
  if (facts === null) return null
  const fragments = target.conditions.map(({ fragment }) => fragment)
  const [sample, visible] = await Promise.all([
    target.command === 'insert' ? null : readSample(deps, target, fragments),
    deps.asCaller(visibleStatement(target.name, fragments)),
  ])
  const rows = sample?.rows ?? []
  const gates = await evaluateGates(deps, target, facts, rows)
  const isUnmatched = sample !== null && sample.existing > 0 && sample.matching === 0
  return {
    ...{ target, facts, rows, gates },
    existing: sample?.existing ?? null,
    matching: sample?.matching ?? null,
    visible: visible.problem === null ? Number(visible.rows[0]?.visible ?? 0) : null,
    problem: visible.problem,
    unmatched: isUnmatched ? await findUnmatched(deps, target) : [],
    hiddenInside: await findHidden(deps, target, rows, gates),
  }
}

interface Sample {
  readonly existing: number
  readonly matching: number
  readonly rows: readonly SampleRow[]
}

/** @returns null where the filters are such that PostgreSQL refuses them: the caller's own try tells why */
async function readSample(
  { reader, sampleRows }: LookDeps,
  { name, relation }: Target,
  conditions: readonly SqlFragment[],
): Promise<Sample | null> {
  try {
    const { rows } = await reader.query<Sample>(sampleStatement(name, relation, conditions, sampleRows))
    return rows[0] ?? null
  } catch (error) {
    problemOf(error)
    return null
  }
}

async function evaluateGates(
  deps: LookDeps,
  target: Target,
  facts: RelationFacts,
  rows: readonly SampleRow[],
): Promise<readonly GateOutcome[]> {
  const reads = target.conditions.length > 0 || target.answersRows
  const outcomes: GateOutcome[] = []
  for (const gate of planGates(facts, target.command, reads)) {
    const asked = rowsFor(target, gate, rows)
    const policies: PolicyOutcome[] = []
    for (const policy of gate.policies)
      policies.push({ ...policy, ...(await evaluatePolicy(deps, target, policy, asked)) })
    outcomes.push({ ...gate, policies })
  }
  return outcomes
}

/** The rows that a gate asks about; null where they are not known. */
function rowsFor({ command, sent }: Target, { asks }: Gate, rows: readonly SampleRow[]): Rows | null {
  const texts = rows.map(({ text }) => text)
  if (asks === 'stored') return { kind: 'stored', texts }
  if (sent === null || sent.length === 0) return null
  return command === 'insert' ? { kind: 'inserted', sent } : { kind: 'updated', texts, sent: sent[0] ?? {} }
}

async function evaluatePolicy(
  { asCaller, masked }: LookDeps,
  { name, relation }: Target,
  { clause, facts }: Gate['policies'][number],
  rows: Rows | null,
): Promise<Pick<PolicyOutcome, 'problem' | 'rows'>> {
  if (clause === null || rows === null || !facts.isForCaller) return { problem: null, rows: [] }
  const clauses = flatten(clause)
  const whole = await asCaller(evaluateStatement(name, relation, clauses, rows))
  const isMasked = (expression: string | null): boolean =>
    masked.size > 0 && expression !== null && readsColumn(expression, masked)
  if (whole.problem === null)
    return { problem: null, rows: whole.rows.map((row) => maskValues(clauses, clauseValues(row), isMasked)) }
  // A clause may fail where PostgreSQL never asked for it, since another had decided.
  const plain = await asCaller(
    evaluateStatement(name, relation, [{ ...clause, parts: [], left: null, right: null }], rows),
  )
  // The server's words may hold a value.
  const mayHoldValue = plain.problem !== null && clauses.some(({ text }) => isMasked(text))
  return {
    problem: mayHoldValue ? { ...plain.problem, message: maskedText } : plain.problem,
    rows: plain.rows.map(clauseValues),
  }
}

/** Of clauses that read a masked column only whether they hold is told. */
const maskValues = (
  clauses: readonly Clause[],
  { values, lefts, rights }: ClauseValues,
  isMasked: (expression: string | null) => boolean,
): ClauseValues => ({
  values,
  lefts: lefts.map((value, index) => (isMasked(clauses[index]?.left ?? null) ? maskedText : value)),
  rights: rights.map((value, index) => (isMasked(clauses[index]?.right ?? null) ? maskedText : value)),
})

const clauseValues = (row: Readonly<Record<string, string | null>>): ClauseValues => ({
  values: JSON.parse(row.values ?? '[]'),
  lefts: JSON.parse(row.lefts ?? '[]'),
  rights: JSON.parse(row.rights ?? '[]'),
})

async function findUnmatched({ reader, masked }: LookDeps, { name, conditions }: Target): Promise<Look['unmatched']> {
  if (conditions.length === 0) return []
  const fragments = conditions.map(({ fragment }) => fragment)
  const { rows } = await reader.query<{ found: readonly boolean[] }>(aloneStatement(name, fragments))
  const found = rows[0]?.found ?? []
  const alone = conditions.filter((_, index) => found[index] === false)
  return Promise.all(
    alone.map(async (condition) => {
      if (condition.compared === null || masked.has(condition.compared.column)) return { condition, near: null }
      const { column, value } = condition.compared
      const near = await reader.query<{ value: string }>(likeStatement(name, column, value))
      return { condition, near: near.rows[0]?.value ?? null }
    }),
  )
}

/** Subqueries that decide against rows, and would not if they saw every row of their tables. */
async function findHidden(
  { reader, claimsJson }: LookDeps,
  { name }: Target,
  rows: readonly SampleRow[],
  gates: readonly GateOutcome[],
): Promise<readonly string[]> {
  const hidden = new Set<string>()
  const stored = gates.filter(({ asks }) => asks === 'stored')
  const reasons = stored.flatMap((gate) => rows.flatMap((_, row) => reasonsOf(gate, row)))
  for (const { clause, row } of reasons) {
    if (!hasSubquery(clause.text) || hidden.has(clause.text)) continue
    const text = rows[row]?.text
    if (text === undefined) continue
    try {
      const asked = await reader.query<{ found: boolean }>(askAboveStatement(name, clause, [text], claimsJson))
      if (asked.rows[0]?.found === true) hidden.add(clause.text)
    } catch (error) {
      problemOf(error)
    }
  }
  return [...hidden]
}
