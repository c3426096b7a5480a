import { constant, empty, identifier, join, type SqlFragment, sql, written } from '../../../ground/sql/sql.ts'
import { schemaError } from '../errors.ts'
import type { ChangeOf } from './change.ts'
import { cascadeOf } from './column-statements.ts'

type FunctionChange = ChangeOf<
  'create trigger' | 'enable trigger' | 'drop trigger' | 'create function' | 'define function' | 'drop function'
>

/** The statements of a change of a function, or of a trigger that calls one. */
export function functionStatements(change: FunctionChange): readonly SqlFragment[] {
  switch (change.kind) {
    case 'create trigger':
      return [createdTrigger(change)]
    case 'enable trigger':
      return [
        sql`alter table ${identifier(change.schema, change.table)} ${change.enabled ? sql`enable` : sql`disable`} trigger ${identifier(change.name)}`,
      ]
    case 'drop trigger':
      return [sql`drop trigger ${identifier(change.name)} on ${identifier(change.schema, change.table)}`]
    case 'create function':
      return [createdFunction(change)]
    case 'define function':
      return [definedFunction(change.definition)]
    case 'drop function':
      return [
        sql`drop ${change.procedure ? sql`procedure` : sql`function`} ${identifier(change.schema, change.name)}(${written(change.arguments)})${cascadeOf(change.cascade)}`,
      ]
  }
}

function createdTrigger(change: ChangeOf<'create trigger'>): SqlFragment {
  const { timing, events, forEach, when } = change
  const condition = when === null ? empty : sql`\n  when (${written(when)})`
  return sql`create trigger ${identifier(change.name)}
  ${constant(timing)} ${join(events.map(constant), ' or ')} on ${identifier(change.schema, change.table)}
  for each ${constant(forEach)}${condition}
  execute function ${identifier(change.function.schema, change.function.name)}()`
}

function createdFunction(change: ChangeOf<'create function'>): SqlFragment {
  const { volatility, securityDefiner, body } = change
  // A function with its owner's rights must not find what its caller puts into the search path.
  const rights = securityDefiner ? sql`\nsecurity definer\nset search_path = ''` : empty
  const quote = quoteFor(body)
  return sql`create function ${identifier(change.schema, change.name)}(${written(change.arguments)})
returns ${written(change.returns)}
language ${constant(change.language)}${volatility === 'volatile' ? empty : sql` ${constant(volatility)}`}${rights}
as ${constant(quote)}\n${written(body.trim())}\n${constant(quote)}`
}

/** A dollar quote that the text does not hold. */
function quoteFor(body: string): string {
  for (let number = 0; ; number += 1) {
    const quote = number === 0 ? '$$' : `$body${number}$`
    if (!body.includes(quote)) return quote
  }
}

/** @throws CLEW_SCHEMA_TEXT for another statement */
function definedFunction(definition: string): SqlFragment {
  const text = definition.trim().replace(/;$/, '')
  if (!/^create\s+(or\s+replace\s+)?(function|procedure)\s/i.test(text)) throw schemaError('CLEW_SCHEMA_TEXT')
  return written(text)
}
