import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

const texts = (values: readonly string[]) => typed([...values], 'text[]')

/** Adds to the uses of properties on the day of an instant. */
export const countUsesStatement = (uses: ReadonlyMap<string, number>, at: Date): Statement =>
  compile(sql`
    insert into clew_analytics.property_uses as known (property, day, uses)
    select property, (${typed(at, 'timestamptz')} at time zone 'utc')::date, uses
    from unnest(${texts([...uses.keys()])}, ${typed([...uses.values()], 'bigint[]')}) as given (property, uses)
    order by property
    on conflict (day, property) do update set uses = known.uses + excluded.uses`)

/** Forgets the uses of before an instant, and all but those of the properties that were used most. */
export const forgetUsesStatement = (before: Date, most: number): Statement =>
  compile(sql`
    delete from clew_analytics.property_uses
    where day < (${typed(before, 'timestamptz')} at time zone 'utc')::date or property in (
      select property
      from clew_analytics.property_uses
      group by property
      order by sum(uses) desc, property
      offset ${typed(most, 'int')}
    )`)

/** How often a property was asked for. */
export interface UsesRow {
  readonly property: string
  readonly uses: number
}

export const selectUsesStatement = (): Statement =>
  compile(sql`
    select property, sum(uses)::float8 as uses
    from clew_analytics.property_uses
    group by property`)

/** A property with a column. */
export interface ColumnRow {
  readonly property: string
  readonly since: Date
  readonly filledAt: Date | null
  readonly leavingAt: Date | null
}

export const selectColumnsStatement = (): Statement =>
  compile(sql`
    select property, since, filled_at as "filledAt", leaving_at as "leavingAt"
    from clew_analytics.property_columns
    order by property`)

/** @param leavingAt of columns that are found, and of which nothing is known */
export const putColumnsStatement = (properties: readonly string[], at: Date, leavingAt: Date | null): Statement =>
  compile(sql`
    insert into clew_analytics.property_columns (property, since, leaving_at)
    select property, ${typed(at, 'timestamptz')}, ${typed(leavingAt, 'timestamptz')}
    from unnest(${texts(properties)}) as given (property)
    on conflict (property) do nothing`)

export const setLeavingStatement = (properties: readonly string[], leavingAt: Date | null): Statement =>
  compile(sql`
    update clew_analytics.property_columns
    set leaving_at = ${typed(leavingAt, 'timestamptz')}
    where property = any(${texts(properties)})`)

export const setFilledStatement = (property: string, filledAt: Date | null): Statement =>
  compile(sql`
    update clew_analytics.property_columns
    set filled_at = ${typed(filledAt, 'timestamptz')}
    where property = ${property}`)

export const deleteColumnStatement = (property: string): Statement =>
  compile(sql`delete from clew_analytics.property_columns where property = ${property}`)

/** Takes the turn for so long, where no other process has it. */
export const takeTurnStatement = (ms: number): Statement =>
  compile(sql`
    update clew_analytics.property_turn
    set taken_until = now() + ${typed(ms, 'int')} * interval '1 ms'
    where taken_until < now()
    returning true as taken`)

/** Keeps it for so long from now on. */
export const keepTurnStatement = (ms: number): Statement =>
  compile(sql`
    update clew_analytics.property_turn
    set taken_until = now() + ${typed(ms, 'int')} * interval '1 ms'`)
