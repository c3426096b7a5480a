import type { ChangeOf, SchemaChange } from './change.ts'
import type { ChangeFacts } from './facts.ts'

/** What a change does beside what it says, in a sentence; `warn` for what is lost, refused or long. */
export interface Effect {
  readonly tone: 'info' | 'warn'
  readonly text: string
}

const info = (text: string): Effect => ({ tone: 'info', text })
const warn = (text: string): Effect => ({ tone: 'warn', text })

/** From this many rows on, what reads or writes all of them is worth a warning. */
const manyRows = 100_000

const counted = (count: number, noun: string): string =>
  `${Math.round(count).toLocaleString('en-GB')} ${noun}${Math.round(count) === 1 ? '' : 's'}`

/**
 * What a change means for the rows, for those who wait and for what depends on it.
 *
 * @see https://www.postgresql.org/docs/current/sql-altertable.html#SQL-ALTERTABLE-NOTES
 */
export function effectsOf(change: SchemaChange, facts: ChangeFacts): readonly Effect[] {
  return [...ofRows(change, facts), ...ofKind(change, facts), ...ofDependents(change, facts)]
}

/** What reads or writes every row, while requests on the table wait. */
function ofRows(change: SchemaChange, { table, typeRewrites, defaultIsVolatile }: ChangeFacts): readonly Effect[] {
  const rows = table?.rows ?? 0
  if (rows === 0) return []
  const work = workOf(change, typeRewrites, defaultIsVolatile)
  if (work === null) return []
  const { verb, waiting } = work
  return [(rows >= manyRows ? warn : info)(`${verb} ${counted(rows, 'row')}; ${waiting} meanwhile.`)]
}

const allWait = 'requests on the table wait'
const bothGoOn = 'reads and writes go on'
const writesWait = 'writes to the table wait'

function workOf(
  change: SchemaChange,
  typeRewrites: boolean | null,
  defaultIsVolatile: boolean,
): { readonly verb: string; readonly waiting: string } | null {
  switch (change.kind) {
    case 'add column':
      if (defaultIsVolatile) return { verb: 'Rewrites', waiting: allWait }
      if (change.column.unique || change.column.primaryKey) return { verb: 'Builds an index over', waiting: allWait }
      return null
    case 'change column':
      if (typeRewrites === true) return { verb: 'Rewrites', waiting: allWait }
      return change.to.nullable === false ? { verb: 'Reads', waiting: allWait } : null
    case 'add check':
      return { verb: 'Checks', waiting: allWait }
    case 'add foreign key':
      return { verb: 'Checks', waiting: 'writes to both tables wait' }
    case 'add unique':
    case 'add primary key':
      return { verb: 'Builds an index over', waiting: allWait }
    case 'create index':
      return { verb: 'Builds an index over', waiting: change.concurrently ? bothGoOn : writesWait }
    case 'rebuild index':
      return { verb: 'Builds an index over', waiting: bothGoOn }
    default:
      return null
  }
}

/** What a kind of change means whatever the rows. */
function ofKind(change: SchemaChange, { table }: ChangeFacts): readonly Effect[] {
  const rows = table?.rows ?? 0
  switch (change.kind) {
    case 'create table':
      return change.rowSecurity
        ? [info('No row is seen through the API until a policy lets it pass.')]
        : [warn('Without row security, every key of the API reads and writes every row that grants allow.')]
    case 'row security':
      return change.enabled
        ? [info('From now on a row is seen only where a policy lets it pass; the service role sees all.')]
        : [warn('Policies are kept and no longer asked: grants alone decide who reads and writes every row.')]
    case 'add column':
      return ofNewColumn(change, rows)
    case 'drop column':
      return rows > 0 ? [warn(`The values of ${counted(rows, 'row')} are lost.`)] : []
    case 'drop table':
      return rows > 0 ? [warn(`${counted(rows, 'row')} ${Math.round(rows) === 1 ? 'is' : 'are'} lost.`)] : []
    case 'rename table':
      return [warn('Requests and queries that use the old name fail.')]
    case 'change column':
      return change.to.name !== undefined && change.to.name !== change.column
        ? [warn('Requests and queries that use the old name fail.')]
        : []
    case 'create policy':
      return change.permissive
        ? []
        : [info('A restrictive policy lets nothing pass by itself: it narrows what others let pass.')]
    case 'grant table':
      return ofGrant(change, table?.rowSecurity ?? false)
    case 'create view':
      return change.securityInvoker
        ? [info('Who reads it sees the rows of its tables that row security lets them see.')]
        : [warn('It reads with its owner’s rights: row security of its tables does not hold for who reads it.')]
    case 'create materialized view':
      return [warn('It keeps rows as its owner reads them, until it is refreshed: row security does not hold for it.')]
    case 'create index':
    case 'rebuild index':
      return ofConcurrentIndex(change)
    case 'create function':
      return change.securityDefiner
        ? [info('It runs with the rights of its owner; its search path is empty, so that names need their schema.')]
        : []
    case 'create role':
      return change.bypassesRowSecurity ? [warn('No policy holds for this role.')] : []
    default:
      return []
  }
}

function ofGrant({ role, privileges, granted }: ChangeOf<'grant table'>, rowSecurity: boolean): readonly Effect[] {
  if (!granted) return [info(`What ${role} asks of the table beyond what is left is refused (42501).`)]
  if (rowSecurity) return [info('Policies decide which rows.')]
  return [warn(`Row security is off: ${role} may ${privileges.join(', ')} every row.`)]
}

const ofConcurrentIndex = (change: ChangeOf<'create index' | 'rebuild index'>): readonly Effect[] =>
  change.kind === 'create index' && !change.concurrently
    ? []
    : [info('It is built in two passes, outside of a transaction, and waits for transactions that are open.')]

function ofNewColumn({ column }: ChangeOf<'add column'>, rows: number): readonly Effect[] {
  const isRefused = rows > 0 && !column.nullable && column.default === null && column.identity === null
  return isRefused ? [warn('It is refused while there are rows: they would have no value. Give it a default.')] : []
}

function ofDependents(change: SchemaChange, { dependents }: ChangeFacts): readonly Effect[] {
  if (dependents.length === 0) return []
  const goes = 'cascade' in change && change.cascade
  return [warn(`${goes ? 'Goes along' : 'Depends on it'}: ${dependents.join(', ')}.`)]
}
