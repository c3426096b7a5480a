import { plainName } from '../../../ground/sql/plain-name.ts'
import { renderReadable } from '../../../ground/sql/postgres.ts'
import { locateStatements } from '../../../ground/sql/split.ts'
import type { SqlFragment } from '../../../ground/sql/sql.ts'
import { schemaError } from '../errors.ts'
import type { SchemaChange } from './change.ts'
import { columnStatements } from './column-statements.ts'
import { functionStatements } from './function-statements.ts'
import { objectStatements } from './object-statements.ts'
import { policyStatements } from './policy-statements.ts'
import { droppedIndex, indexNameOf, tableStatements } from './table-statements.ts'
import { viewStatements } from './view-statements.ts'

/**
 * The statements of changes, as a migration has them.
 *
 * @throws CLEW_SCHEMA_TEXT where a text that was typed holds more than it may
 */
export function statementsOf(changes: readonly SchemaChange[]): readonly string[] {
  return changes.flatMap((change) => fragmentsOf(change).map(renderStatement))
}

/**
 * What takes away what is left of an index that is built outside of a transaction, should that fail; null where all changes
 * fit into one transaction.
 *
 * @throws CLEW_SCHEMA_ALONE where such a change stands beside others
 */
export function undoOutside(changes: readonly SchemaChange[]): string | null {
  const [first] = changes.flatMap((change) =>
    change.kind === 'rebuild index' || (change.kind === 'create index' && change.concurrently) ? [change] : [],
  )
  if (first === undefined) return null
  if (changes.length > 1) throw schemaError('CLEW_SCHEMA_ALONE')
  const name = first.kind === 'rebuild index' ? first.name : indexNameOf(first)
  return renderStatement(droppedIndex(first.schema, name))
}

function renderStatement(fragment: SqlFragment): string {
  const text = renderReadable(fragment, plainName)
  // What was typed must not end the statement that it stands in.
  if (locateStatements(text).length !== 1 || /;\s*$/.test(text)) throw schemaError('CLEW_SCHEMA_TEXT')
  return text
}

function fragmentsOf(change: SchemaChange): readonly SqlFragment[] {
  switch (change.kind) {
    case 'create table':
    case 'rename table':
    case 'comment table':
    case 'drop table':
    case 'row security':
    case 'grant table':
    case 'create index':
    case 'rebuild index':
    case 'drop index':
      return tableStatements(change)
    case 'add column':
    case 'change column':
    case 'drop column':
    case 'add foreign key':
    case 'add unique':
    case 'add primary key':
    case 'add check':
    case 'drop constraint':
      return columnStatements(change)
    case 'create policy':
    case 'change policy':
    case 'drop policy':
      return policyStatements(change)
    case 'create view':
    case 'create materialized view':
    case 'drop view':
      return viewStatements(change)
    case 'create trigger':
    case 'enable trigger':
    case 'drop trigger':
    case 'create function':
    case 'define function':
    case 'drop function':
      return functionStatements(change)
    default:
      return objectStatements(change)
  }
}
