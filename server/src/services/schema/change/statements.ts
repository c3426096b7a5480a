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
import { tableStatements } from './table-statements.ts'

/**
 * The statements of changes, as a migration has them.
 *
 * @throws CLEW_SCHEMA_TEXT where a text that was typed holds more than it may
 */
export function statementsOf(changes: readonly SchemaChange[]): readonly string[] {
  return changes.flatMap((change) => fragmentsOf(change).map(renderStatement))
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
    case 'create index':
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
