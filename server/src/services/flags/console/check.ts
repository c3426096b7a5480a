import { Value } from 'typebox/value'
import type { Sql } from '../../../engines/postgres/index.ts'
import { readRowTarget, rowTargetKey } from '../definition/definition.ts'
import { type Filter, FlagFilters } from '../definition/schema.ts'
import { flagsError } from '../errors.ts'
import { findProblem } from '../evaluate/problems.ts'
import type { Definitions } from '../stored/definitions.ts'
import { dependencyChain } from '../stored/local.ts'
import { selectRowFactsStatement } from '../stored/store.ts'

/** A chain of flags that ask for one another may be this long. */
const longestChain = 50

const invalid = (problem: string) =>
  flagsError('CLEW_FLAGS_DEFINITION', { message: `The flag cannot be evaluated as it is defined: ${problem}.` })

const filtersOf = ({ groups }: FlagFilters): readonly Filter[] => groups.flatMap(({ properties = [] }) => properties)

/**
 * Checks a flag before it is stored: its filters, the flags and cohorts that it asks for, and the tables of its row
 * conditions.
 *
 * @throws CLEW_FLAGS_DEFINITION
 */
export async function checkFlag(
  key: string,
  filters: FlagFilters,
  { flags, cohorts, prepared }: Definitions,
  { reader, maxRowLookups }: { readonly reader: Pick<Sql, 'query'>; readonly maxRowLookups: number },
): Promise<void> {
  // The form is checked here: what reads bodies would coerce a rollout of null to 0.
  if (!Value.Check(FlagFilters, filters)) throw invalid('its filters have not the form of filters')
  const problem = findProblem(filters)
  if (problem !== null) throw invalid(problem)
  for (const filter of filtersOf(filters))
    if (filter.type === 'cohort' && !cohorts.some(({ id }) => id === Number(filter.value)))
      throw invalid(`there is no cohort ${String(filter.value)}`)
  const after = new Map(flags.map((flag) => [flag.key, { filters: flag.filters }])).set(key, { filters })
  const chain = dependencyChain(key, after)
  if (chain.length === 0) throw invalid('it asks for a flag that is not there, or that asks for it')
  if (chain.length > longestChain) throw invalid('it asks for too many flags behind one another')
  await checkRows(filters, prepared.rows, reader, maxRowLookups)
}

async function checkRows(
  filters: FlagFilters,
  known: Definitions['prepared']['rows'],
  reader: Pick<Sql, 'query'>,
  maxRowLookups: number,
): Promise<void> {
  const targets = new Set(known.keys())
  for (const { type, table = '', match = '', column = '' } of filtersOf(filters)) {
    const target = type === 'row' ? readRowTarget(table, match) : null
    if (target === null) continue
    targets.add(rowTargetKey(target))
    if (targets.size > maxRowLookups) throw invalid('row conditions look into more tables than the settings allow')
    const { rows } = await reader.query<{ hasColumn: boolean; hasIndex: boolean }>(
      selectRowFactsStatement(target, column),
    )
    if (rows[0]?.hasColumn !== true) throw invalid(`there is no column ${column} in ${table}`)
    if (!rows[0].hasIndex) throw invalid(`no index of ${table} begins with ${match}: every call would read the table`)
  }
}
