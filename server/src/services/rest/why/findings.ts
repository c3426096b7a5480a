import { quoteIdentifier } from '../../../ground/sql/postgres.ts'
import type { Command, FunctionFacts, RoleFacts } from './facts.ts'
import type { Finding } from './finding.ts'
import type { Look } from './look.ts'
import { type Asking, policyFindings, quotedName } from './policy-findings.ts'

/** What the thread kept of a request's answer. */
export interface Recorded {
  readonly status: number
  readonly errorCode: string | null
  readonly rows: number | null
}

/** All that was looked at. */
export interface Evidence extends Asking {
  readonly roleFacts: RoleFacts
  readonly recorded: Recorded | null
  /** Why the request is refused before any statement. */
  readonly refusal: { readonly code: string; readonly message: string; readonly hint: string | null } | null
  readonly looks: readonly Look[]
  /** The functions that it may mean, where it calls one. */
  readonly functions: { readonly name: string; readonly found: readonly FunctionFacts[] } | null
  /** The first row that it asks for. */
  readonly offset: number
}

const ofRequest = (
  code: Finding['code'],
  title: string,
  detail: string | null,
  sql: string | null = null,
): Finding => ({
  ...{ code, title, detail, sql },
  relation: null,
})

/** What explains the answer, the likeliest cause first. */
export function findingsOf(evidence: Evidence): readonly Finding[] {
  const before = [...tokenFindings(evidence), ...roleFindings(evidence)]
  if (before.length > 0) return before
  const { refusal, functions, looks } = evidence
  if (refusal !== null) return [ofRequest('request_refused', `${refusal.code}: ${refusal.message}`, refusal.hint)]
  const called = functions === null ? [] : functionFindings(evidence, functions)
  const rows = looks.flatMap((look) => lookFindings(look, evidence))
  // What is as it should be explains least.
  const isWell = ({ code }: Finding): boolean => code === 'visible'
  return [...called, ...rows.filter((one) => !isWell(one)), ...rows.filter(isWell)]
}

function tokenFindings({ recorded }: Evidence): readonly Finding[] {
  if (recorded?.status !== 401) return []
  const why =
    recorded.errorCode === 'PGRST303'
      ? 'It had expired, or one of its claims is wrong. Clients that refresh their session send a new one.'
      : 'Its signature, form or key was not accepted.'
  return [ofRequest('token_refused', 'The token was refused, so nothing was asked of the database.', why)]
}

function roleFindings({ role, roleFacts }: Evidence): readonly Finding[] {
  if (!roleFacts.exists)
    return [ofRequest('role_unknown', `The token’s role ${role} does not exist in the database.`, null)]
  if (roleFacts.isReachable) return []
  const sql = `grant ${quoteIdentifier(role)} to authenticator;`
  return [ofRequest('role_not_reachable', `Requests may not act as ${role}.`, null, sql)]
}

function functionFindings({ role }: Evidence, { name, found }: NonNullable<Evidence['functions']>): readonly Finding[] {
  if (found.length > 0 && !found.some(({ mayCall }) => mayCall))
    return [
      ofRequest(
        'function_not_granted',
        `${role} may not call ${name}.`,
        null,
        `grant execute on function ${name} to ${quoteIdentifier(role)};`,
      ),
    ]
  const [first] = found
  if (first?.runsAsOwner !== true) return []
  const title = `${name} runs as its owner ${first.owner}: policies are asked for that role, and auth.uid() is the caller’s.`
  return [ofRequest('function_runs_as_owner', title, null)]
}

function lookFindings(look: Look, evidence: Evidence): readonly Finding[] {
  const rights = rightsFindings(look, evidence)
  if (rights.length > 0) return rights
  if (look.problem?.code === '42P17')
    return [
      of(look, 'policy_recursion', 'A policy reads its own table, so PostgreSQL refuses it.', look.problem.message),
    ]
  const policies = policyFindings(look, evidence)
  if (policies.length === 0 && look.problem !== null)
    return [of(look, 'query_refused', 'PostgreSQL refuses the query.', look.problem.message)]
  return [
    ...viewFindings(look),
    ...emptinessFindings(look),
    ...policies,
    ...rangeFindings(look, evidence),
    ...visibleFindings(look, evidence),
  ]
}

const nameOf = ({ target: { name } }: Look): string => `${name.schema}.${name.name}`

const of = (
  look: Look,
  code: Finding['code'],
  title: string,
  detail: string | null,
  sql: string | null = null,
): Finding => ({
  ...{ code, title, detail, sql },
  relation: nameOf(look),
})

function rightsFindings(look: Look, { role }: Evidence): readonly Finding[] {
  const { facts, target, problem } = look
  const to = quoteIdentifier(role)
  if (!facts.mayUseSchema)
    return [
      of(
        look,
        'schema_not_granted',
        `${role} may not use the schema ${target.name.schema}.`,
        null,
        `grant usage on schema ${quoteIdentifier(target.name.schema)} to ${to};`,
      ),
    ]
  const needed: readonly Command[] =
    target.command === 'insert' || target.conditions.length === 0
      ? [target.command]
      : [...new Set<Command>([target.command, 'select'])]
  const missing = needed.filter((command) => !facts.may[command])
  if (missing.length > 0)
    return [
      of(
        look,
        'table_not_granted',
        `${role} has no right to ${missing.join(' and ')} on ${nameOf(look)}.`,
        null,
        `grant ${missing.join(', ')} on ${quotedName(look)} to ${to};`,
      ),
    ]
  if (facts.deniedColumns.length > 0 && (problem?.code === '42501' || target.command === 'select'))
    return [
      of(
        look,
        'columns_not_granted',
        `${role} may not read ${facts.deniedColumns.join(', ')} of ${nameOf(look)}.`,
        'A request that selects all columns, or one of these, is refused: select the others by name.',
        `grant select (${facts.deniedColumns.map(quoteIdentifier).join(', ')}) on ${quotedName(look)} to ${to};`,
      ),
    ]
  if (target.command === 'insert' && facts.deniedSequences.length > 0)
    return [
      of(
        look,
        'sequence_not_granted',
        `${role} may not take numbers from ${facts.deniedSequences.join(', ')}.`,
        null,
        facts.deniedSequences
          .map(
            (name) =>
              `grant usage on sequence ${quoteIdentifier(target.name.schema)}.${quoteIdentifier(name)} to ${to};`,
          )
          .join('\n'),
      ),
    ]
  return []
}

function viewFindings(look: Look): readonly Finding[] {
  const { facts } = look
  if (facts.kind !== 'view' || facts.runsAsCaller || facts.reads.length === 0) return []
  return [
    of(
      look,
      'view_runs_as_owner',
      `The view ${nameOf(look)} reads its tables as its owner ${facts.owner}, so their policies are asked for ${facts.owner}.`,
      `It reads ${facts.reads.map(({ schema, name }) => `${schema}.${name}`).join(', ')}. With security_invoker the caller’s policies hold.`,
      `alter view ${quotedName(look)} set (security_invoker = on);`,
    ),
  ]
}

function emptinessFindings(look: Look): readonly Finding[] {
  const { existing, matching, unmatched } = look
  if (existing === 0) return [of(look, 'table_empty', `${nameOf(look)} has no rows.`, null)]
  if (existing === null || matching !== 0) return []
  const alone = unmatched.map(({ condition, near }) =>
    near !== null && condition.compared !== null && near !== condition.compared.value
      ? of(
          look,
          'filter_differs_in_case',
          `No row of ${nameOf(look)} has ${condition.said}; there is '${near}'.`,
          'Texts are compared with their capitals and blanks: use ilike, or send the value as it is stored.',
        )
      : of(look, 'filter_matches_nothing', `No row of ${nameOf(look)} has ${condition.said}.`, null),
  )
  if (alone.length > 0) return alone
  return [of(look, 'filters_match_nothing', `No row of ${nameOf(look)} fits all filters at once.`, null)]
}

function rangeFindings({ visible, target, ...rest }: Look, { offset }: Evidence): readonly Finding[] {
  if (target.part !== 'target' || visible === null || visible === 0 || offset < visible) return []
  const look = { visible, target, ...rest }
  return [of(look, 'range_beyond', `The request asks for rows from ${offset} on; the caller sees ${visible}.`, null)]
}

function visibleFindings(look: Look, { recorded }: Evidence): readonly Finding[] {
  const { visible, matching, target } = look
  if (target.command !== 'select' || visible === null || visible === 0 || matching === null || visible < matching)
    return []
  const then = recorded?.rows ?? null
  const changed =
    target.part === 'target' && then === 0
      ? 'It was answered with none: rows, rights or policies have changed since.'
      : null
  return [
    of(look, 'visible', `The caller sees every row of ${nameOf(look)} that fits: ${visible} of ${matching}.`, changed),
  ]
}
