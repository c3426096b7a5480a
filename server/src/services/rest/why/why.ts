import type { Session, Sql } from '../../../engines/postgres/index.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import type { Claims } from '../../../ground/model/caller.ts'
import { type Masks, noMasks } from '../../../ground/privacy/masks.ts'
import { findRelation, type QualifiedName } from '../cache/schema-cache.ts'
import { whyError } from '../errors.ts'
import type { Planned, Rest } from '../rest.ts'
import { type AskedAs, callerAs, callerOf, claimsOf, inPlaceOf } from './caller.ts'
import { type FunctionFacts, readFunctions, readRole } from './facts.ts'
import type { Finding } from './finding.ts'
import { type Evidence, findingsOf, type Recorded } from './findings.ts'
import { type Look, type LookDeps, look, type Target } from './look.ts'
import { type Question, rawOf, targetsOf } from './question.ts'
import { type Tried, trySql } from './try.ts'

/** A request as the thread kept it. */
export interface KeptRequest extends Recorded {
  readonly service: string
  readonly method: string
  /** From the root, as it came. */
  readonly path: string
  readonly query: string
  readonly role: string
  readonly userId: string | null
}

export interface WhyDeps {
  readonly rest: Pick<Rest, 'planned' | 'schema'>
  readonly session: Session
  /** Reads the catalogues: names are looked for in `pg_catalog`. */
  readonly catalogues: Pick<Sql, 'query'>
  /** Reads rows as the application's owner. */
  readonly reader: Pick<Sql, 'query'>
  /** Tries SQL as the application's owner. */
  readonly owner: Pick<Sql, 'transaction'>
  /** Finds users. */
  readonly sql: Pick<Sql, 'query'>
  /** @throws for one that is not kept */
  readonly findRequest: (id: string) => Promise<KeptRequest>
  /** The role that requests log in as. */
  readonly loginRole: string
  /** Rows that are looked at one by one. */
  readonly sampleRows: number
  /** What is not told of rows. */
  readonly masks?: Masks
}

/** Why a request was answered as it was, as far as the rows, rights and policies of now can tell. */
export interface Explanation {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly role: string
  readonly claims: Claims
  readonly recorded: Recorded | null
  readonly findings: readonly Finding[]
  readonly looks: readonly Look[]
}

export interface Why {
  /** @throws CLEW_WHY_NOT_REST, and what `findRequest` throws */
  ofRequest(id: string, body: string | null): Promise<Explanation>
  /** @throws CLEW_WHY_USER_NOT_FOUND */
  ofQuestion(question: Omit<Question, 'caller'>, as: AskedAs): Promise<Explanation>
  /**
   * What a request would be answered after some SQL, which is run and rolled back.
   *
   * @throws as `ofRequest`, and what the REST service says of a request that it does not take
   */
  tryOnRequest(id: string, body: string | null, sql: string): Promise<Tried>
  /** @throws as `tryOnRequest`, CLEW_WHY_USER_NOT_FOUND */
  tryOnQuestion(question: Omit<Question, 'caller'>, as: AskedAs, sql: string): Promise<Tried>
}

const prefix = '/rest/v1'

/** Explains answers of the REST service: as the caller where its policies are asked, reading only, and rolled back. */
export function createWhy(deps: WhyDeps): Why {
  return {
    async ofRequest(id, body) {
      const { question, recorded } = await keptQuestion(deps, id, body)
      return explain(deps, question, recorded)
    },
    async ofQuestion(question, as) {
      return explain(deps, { ...question, caller: await callerAs(deps.sql, as) }, null)
    },
    async tryOnRequest(id, body, sql) {
      return tryOn(deps, (await keptQuestion(deps, id, body)).question, sql)
    },
    async tryOnQuestion(question, as, sql) {
      return tryOn(deps, { ...question, caller: await callerAs(deps.sql, as) }, sql)
    },
  }
}

/** A request that was made, as a question about it. */
async function keptQuestion(
  { findRequest, sql }: WhyDeps,
  id: string,
  body: string | null,
): Promise<{ readonly question: Question; readonly recorded: Recorded }> {
  const kept = await findRequest(id)
  if (kept.service !== 'rest' || !kept.path.startsWith(prefix)) throw whyError('CLEW_WHY_NOT_REST')
  const { method, query, status, errorCode, rows } = kept
  const claims = { ...(kept.userId === null ? {} : await claimsOf(sql, kept.userId)), role: kept.role }
  const path = kept.path.slice(prefix.length)
  return {
    question: { method, path, query, profile: null, body, caller: callerOf(claims) },
    recorded: { status, errorCode, rows },
  }
}

async function tryOn(deps: WhyDeps, question: Question, sql: string): Promise<Tried> {
  const masked = await maskedNames(deps)
  return trySql({ owner: deps.owner, masked }, await deps.rest.planned(rawOf(question)), question, sql)
}

const maskedNames = async ({ masks = noMasks }: WhyDeps): Promise<ReadonlySet<string>> =>
  new Set((await masks.current()).columns.map(({ column }) => column))

async function explain(deps: WhyDeps, question: Question, recorded: Recorded | null): Promise<Explanation> {
  const { caller, method, path, query } = question
  const { role, claims } = caller
  const roleFacts = await readRole(deps.catalogues, role, deps.loginRole)
  const planned = await plannedOf(deps, question)
  const isAsked = planned.kind === 'planned' && roleFacts.exists && roleFacts.isReachable
  const seen = isAsked ? await lookAt(deps, question, planned.planned) : { looks: [], functions: null, offset: 0 }
  const evidence: Evidence = {
    ...{ role, claims, roleFacts, recorded },
    ...seen,
    refusal: planned.kind === 'refused' ? planned.refusal : null,
  }
  return { method, path, query, role, claims, recorded, findings: findingsOf(evidence), looks: seen.looks }
}

type PlannedOrRefused =
  | { readonly kind: 'planned'; readonly planned: Planned }
  | { readonly kind: 'refused'; readonly refusal: NonNullable<Evidence['refusal']> }

async function plannedOf({ rest }: WhyDeps, question: Question): Promise<PlannedOrRefused> {
  try {
    return { kind: 'planned', planned: await rest.planned(rawOf(question)) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { code, message, hint, wireHint } = error
    return { kind: 'refused', refusal: { code, message, hint: wireHint ?? hint } }
  }
}

type Seen = Pick<Evidence, 'looks' | 'functions' | 'offset'>

async function lookAt(deps: WhyDeps, question: Question, planned: Planned): Promise<Seen> {
  const { template } = planned
  const { plan, cache } = template
  const { caller } = question
  const { role, claimsJson } = caller
  const asCaller = inPlaceOf(deps.session, planned, rawOf(question), caller)
  const { catalogues: sql, reader, sampleRows } = deps
  const masked = await maskedNames(deps)
  const lookDeps: LookDeps = { sql, reader, asCaller, role, claimsJson, sampleRows, masked }
  if (plan.kind === 'call') {
    const { schema, name } = plan.call.routine
    const found = await readFunctions(sql, { schema, name }, role)
    const inside = found.some(({ runsAsOwner }) => !runsAsOwner)
      ? tablesNamed(found, [...cache.relations.values()])
      : []
    const looks = await lookAll(
      lookDeps,
      inside.map((table) => behind(planned, table)),
    )
    return { looks, functions: { name: `${schema}.${name}`, found }, offset: 0 }
  }
  const looks = await lookAll(lookDeps, targetsOf(plan, cache, question))
  const views = looks.flatMap(({ facts }) => (facts.kind === 'view' && facts.runsAsCaller ? facts.reads : []))
  const tables = await lookAll(
    lookDeps,
    views.map((table) => behind(planned, table)),
  )
  return { looks: [...looks, ...tables], functions: null, offset: template.request.range.offset }
}

async function lookAll(deps: LookDeps, targets: readonly Target[]): Promise<readonly Look[]> {
  const looks: Look[] = []
  // One after the other: an explanation takes no more than two connections from those who make requests.
  for (const target of targets) {
    const seen = await look(deps, target)
    if (seen !== null) looks.push(seen)
  }
  return looks
}

/** All rows of a table that a view or function reads. */
const behind = ({ template }: Planned, name: QualifiedName): Target => ({
  ...{ name, part: 'behind', command: 'select', conditions: [], answersRows: true, sent: null },
  relation: findRelation(template.cache, name),
})

const mostTables = 5

/** The tables whose names stand in a function's body. */
function tablesNamed(
  functions: readonly FunctionFacts[],
  relations: readonly QualifiedName[],
): readonly QualifiedName[] {
  const words = new Set(functions.flatMap(({ source }) => source.match(/[\p{L}_][\p{L}\p{N}_$]*/gu) ?? []))
  return relations.filter(({ name }) => words.has(name)).slice(0, mostTables)
}
