import type { Claims } from '../../../ground/model/caller.ts'
import { quoteIdentifier } from '../../../ground/sql/postgres.ts'
import { hasSubquery, readable, tablesIn } from './clauses.ts'
import type { Finding } from './finding.ts'
import { type GateOutcome, passes, type Reason, reasonsOf } from './gates.ts'
import type { Look } from './look.ts'

/** Who asks, as far as policies can tell. */
export interface Asking {
  readonly role: string
  readonly claims: Claims
}

const nameOf = ({ target: { name } }: Look): string => `${name.schema}.${name.name}`

export const quotedName = ({ target: { name } }: Pick<Look, 'target'>): string =>
  `${quoteIdentifier(name.schema)}.${quoteIdentifier(name.name)}`

const finding = (
  at: Look,
  code: Finding['code'],
  title: string,
  detail: string | null,
  sql: string | null,
): Finding => ({
  ...{ code, title, detail, sql },
  relation: nameOf(at),
})

/** What hides rows from the caller, or refuses them, gate by gate. */
export const policyFindings = (at: Look, asking: Asking): readonly Finding[] =>
  at.gates.flatMap((gate) => gateFindings(at, gate, asking))

function gateFindings(at: Look, gate: GateOutcome, asking: Asking): readonly Finding[] {
  const { policies } = gate
  const verb = verbs[gate.command]
  if (at.facts.policies.length === 0) {
    const title = `Row security is on for ${nameOf(at)}, and it has no policy: no row may be ${verb}.`
    return [finding(at, 'no_policy', title, null, policySql(at, gate, asking))]
  }
  const permissive = policies.filter(({ facts }) => facts.permissive)
  if (permissive.length === 0) {
    const commands = [...new Set(at.facts.policies.map(({ command }) => command))].join(', ')
    const title = `No policy of ${nameOf(at)} lets a row be ${verb}.`
    return [
      finding(at, 'no_policy_for_command', title, `Its policies are for ${commands}.`, policySql(at, gate, asking)),
    ]
  }
  if (!permissive.some(({ facts }) => facts.isForCaller)) return [notForRole(at, permissive, asking)]
  const problems = policies.flatMap((policy) => (policy.problem === null ? [] : [policyProblem(at, policy, asking)]))
  return [...problems, ...rowFindings(at, gate, asking)]
}

const verbs = { select: 'read', insert: 'inserted', update: 'updated', delete: 'deleted' } as const

function notForRole(at: Look, permissive: GateOutcome['policies'], { role }: Asking): Finding {
  const [first] = permissive
  const names = permissive.map(({ facts }) => `“${facts.name}” is for ${facts.roles.join(', ')}`).join('; ')
  const signIn = role === 'anon' ? ' The request was made by nobody who is signed in.' : ''
  const sql =
    first === undefined
      ? null
      : `alter policy ${quoteIdentifier(first.facts.name)} on ${quotedName(at)} to ${[...first.facts.roles, role].map(quoteIdentifier).join(', ')};`
  return finding(
    at,
    'no_policy_for_role',
    `The policies of ${nameOf(at)} are for other roles than ${role}.`,
    `${names}.${signIn}`,
    sql,
  )
}

function policyProblem(
  at: Look,
  { facts, problem, clause }: GateOutcome['policies'][number],
  { role }: Asking,
): Finding {
  if (problem?.code === '42P17')
    return finding(
      at,
      'policy_recursion',
      `The policy “${facts.name}” reads its own table, so PostgreSQL refuses it.`,
      problem.message,
      null,
    )
  const tables = clause === null ? [] : tablesIn(clause.text)
  const grants =
    problem?.code === '42501' ? tables.map((table) => `grant select on ${table} to ${quoteIdentifier(role)};`) : []
  return finding(
    at,
    'policy_error',
    `The policy “${facts.name}” fails for this caller.`,
    problem?.message ?? null,
    grants.length === 0 ? null : grants.join('\n'),
  )
}

/** The findings of the rows that do not pass, each clause once. */
function rowFindings(at: Look, gate: GateOutcome, asking: Asking): readonly Finding[] {
  const count = Math.max(0, ...gate.policies.map(({ rows }) => rows.length))
  if (count === 0 && gate.asks === 'written') return [rowNotKnown(at, gate)]
  const hidden = Array.from({ length: count }, (_, row) => row).filter((row) => !passes(gate, row))
  const reasons = hidden.flatMap((row) => reasonsOf(gate, row))
  const kinds = reasons.filter((reason, index) => reasons.findIndex((other) => isAlike(other, reason)) === index)
  return kinds.map((kind) => {
    const rows = new Set(reasons.filter((reason) => isAlike(reason, kind)).map(({ row }) => row)).size
    return reasonFinding(at, kind, `${rows} of ${count}`, asking)
  })
}

/** Whether two rows are hidden for one reason: by one clause, for a value that is there or is not. */
const isAlike = (one: Reason, other: Reason): boolean =>
  one.policy === other.policy &&
  one.clause === other.clause &&
  (one.left === null) === (other.left === null) &&
  (one.right === null) === (other.right === null)

const rowNotKnown = (at: Look, gate: GateOutcome): Finding =>
  finding(
    at,
    'row_not_known',
    `Whether the row may be ${verbs[gate.command]} depends on what was sent, which is not kept.`,
    `Ask again with the row that was sent. ${gate.policies.map(({ facts, clause }) => `“${facts.name}” asks for ${clause === null ? 'nothing' : readable(clause.text)}`).join('; ')}.`,
    null,
  )

function reasonFinding(at: Look, reason: Reason, rows: string, asking: Asking): Finding {
  const { policy, clause, gate } = reason
  const clauseText = `“${policy.facts.name}” asks for ${readable(clause.text)}`
  const whose = gate.asks === 'written' ? 'the row as written' : `${rows} rows`
  const because = `${clauseText}; for ${whose} it was ${valuesOf(reason)}.`
  if (!policy.facts.permissive) {
    const title = `The restrictive policy “${policy.facts.name}” keeps rows of ${nameOf(at)} from being ${verbs[gate.command]}.`
    return finding(at, 'restrictive_policy', title, because, null)
  }
  if (hasSubquery(clause.text)) return subqueryFinding(at, reason, because, asking)
  const about = claimSide(reason)
  if (about === null) return clauseFinding(at, policy.facts.name, because)
  if (about.value === null) return claimFinding(at, because, about.expression, asking)
  if (about.other === null) return nullFinding(at, reason, because)
  return differsFinding(at, reason, because, about.expression)
}

const shown = (value: string | null): string => (value === null ? 'null' : `'${value}'`)

const valuesOf = ({ clause, left, right }: Reason): string => {
  if (clause.left === null) return 'false'
  const one = `${readable(clause.left)} = ${shown(left)}`
  return clause.right === null ? one : `${one}, ${readable(clause.right)} = ${shown(right)}`
}

const isAboutCaller = /auth\.(uid|jwt|role|email)\(\)|current_setting\(|request\.jwt/

/** The side of a comparison that says who asks, with its value and the other side's. */
function claimSide({ clause, left, right }: Reason) {
  if (clause.left !== null && isAboutCaller.test(clause.left))
    return { expression: clause.left, value: left, other: clause.right === null ? '' : right }
  if (clause.right !== null && isAboutCaller.test(clause.right))
    return { expression: clause.right, value: right, other: left }
  return null
}

function clauseFinding(at: Look, policy: string, because: string): Finding {
  const title = `The policy “${policy}” is not true of rows of ${nameOf(at)}.`
  return finding(at, 'clause_false', title, because, null)
}

function subqueryFinding(at: Look, { clause, policy }: Reason, because: string, { role }: Asking): Finding {
  const tables = tablesIn(clause.text)
  if (!at.hiddenInside.includes(clause.text))
    return clauseFinding(at, policy.facts.name, `“${policy.facts.name}” asks for ${clause.text}, which finds nothing.`)
  const title = `The policy “${policy.facts.name}” reads ${tables.join(', ')}, whose own policies hide its rows from ${role}.`
  const sql = tables
    .map(
      (table) =>
        `create policy "Members read their own rows" on ${table} for select to ${quoteIdentifier(role)} using (/* … = (select auth.uid()) */ false);`,
    )
    .join('\n')
  return finding(at, 'hidden_inside', title, because, sql)
}

/** The caller's token has no such claim. */
function claimFinding(at: Look, because: string, expression: string, { role, claims }: Asking): Finding {
  if (expression.includes('auth.uid()')) {
    const title = `auth.uid() is null: the request came with the role ${role} and no user.`
    return finding(at, 'nobody_signed_in', title, because, null)
  }
  const name = /->>?\s*'([^']+)'/.exec(expression)?.[1] ?? null
  const place = name === null ? null : placeOfClaim(claims, name)
  const title =
    name === null ? `${expression} is null.` : `The token has no claim “${name}” where the policy looks for it.`
  const detail =
    place === null ? because : `${because} The claim stands in ${place}: auth.jwt() -> '${place}' ->> '${name}'.`
  return finding(at, 'claim_missing', title, detail, null)
}

const placeOfClaim = (claims: Claims, name: string): string | null =>
  ['app_metadata', 'user_metadata'].find((place) => {
    const inside: unknown = claims[place]
    return typeof inside === 'object' && inside !== null && Object.hasOwn(inside, name)
  }) ?? null

/** The row has no value where the policy compares one. */
function nullFinding(at: Look, { clause, policy }: Reason, because: string): Finding {
  const expression = clause.left !== null && isAboutCaller.test(clause.left) ? clause.right : clause.left
  const title = `${expression} is null in these rows of ${nameOf(at)}, so the policy “${policy.facts.name}” is never true.`
  const column = [...(at.target.relation?.columns.keys() ?? [])].find((name) => name === expression)
  return finding(at, 'column_is_null', title, because, column === undefined ? null : ownerSql(at, column))
}

/** Gives rows without an owner the one that their foreign key leads to, and new rows the one who writes them. */
function ownerSql(at: Look, column: string): string {
  const table = quotedName(at)
  const owner = quoteIdentifier(column)
  const [path] = at.facts.usersBy
  const other = path === undefined ? '' : `${quoteIdentifier(path.schema)}.${quoteIdentifier(path.name)}`
  const stored =
    path === undefined
      ? `-- whose are these?\nselect * from ${table} where ${owner} is null;`
      : `update ${table} as r set ${owner} = o.${quoteIdentifier(path.user)}\nfrom ${other} as o\nwhere o.${quoteIdentifier(path.key)} = r.${quoteIdentifier(path.column)} and r.${owner} is null;`
  return `${stored}\n-- new rows belong to the one who writes them\nalter table ${table} alter column ${owner} set default auth.uid();`
}

function differsFinding(at: Look, { policy, gate }: Reason, because: string, expression: string): Finding {
  if (expression.includes('auth.uid()')) {
    const title =
      gate.asks === 'written'
        ? `The row as written belongs to another user than the one who asks.`
        : `These rows of ${nameOf(at)} belong to other users.`
    return finding(at, 'other_owner', title, because, null)
  }
  const title = `What the policy “${policy.facts.name}” looks for in the token is another value there.`
  return finding(at, 'claim_differs', title, because, null)
}

/** A policy that would let the caller do this, where the table says how. */
function policySql(at: Look, gate: GateOutcome, { role }: Asking): string {
  const [column] = at.facts.userColumns
  const table = quotedName(at)
  const { command } = gate
  const condition = column === undefined ? 'true' : `(select auth.uid()) = ${quoteIdentifier(column)}`
  const name =
    column === undefined
      ? `Everyone may ${command} ${at.target.name.name}`
      : `Users ${command} their own ${at.target.name.name}`
  const to = column === undefined ? role : 'authenticated'
  const using = command === 'insert' ? `with check (${condition})` : `using (${condition})`
  return `create policy ${quoteIdentifier(name)} on ${table}\n  for ${command} to ${quoteIdentifier(to)}\n  ${using};`
}
