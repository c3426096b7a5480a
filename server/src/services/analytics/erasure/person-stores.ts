import { type ClickHouse, moveRows, personTable } from '../../../engines/clickhouse/index.ts'
import { personRows, type Sql } from '../../../engines/postgres/index.ts'
import type { PersonStore, Subject } from '../../../ground/privacy/person.ts'
import { erasedInClickHouse, namedInClickHouse, soughtTexts } from '../../../ground/privacy/person-texts.ts'
import { identifier, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

const isTheirs = ({ distinctIds }: Subject): SqlFragment =>
  sql`distinct_id in ${typed([...distinctIds], 'Array(String)')}`
const isOneOf = ({ distinctIds }: Subject): SqlFragment => sql`distinct_id = any (${typed(distinctIds, 'text[]')})`

/** What was done on pages; others may have been on one whose address names the person, and the address is in the sorting key. */
function heatMaps(clickhouse: Pick<ClickHouse, 'query' | 'command' | 'streamTexts'>): PersonStore {
  const store = personTable(clickhouse, {
    ...{ name: 'heat maps', table: 'page_uses', owned: isTheirs, texts: ['elements_chain'] },
  })
  return {
    ...store,
    async erase(subject, work) {
      const { removed, rewritten } = await store.erase(subject, work)
      const texts = soughtTexts(subject)
      if (texts.length === 0) return { removed, rewritten }
      const page = identifier('page')
      const moved = await moveRows(
        clickhouse,
        {
          ...{ table: 'page_uses', columns: { page: erasedInClickHouse(page, texts) } },
          where: namedInClickHouse(page, texts),
        },
        work,
      )
      return { removed, rewritten: rewritten + moved }
    },
  }
}

/** What analytics keep of a person, in both engines. */
export const analyticsPersonStores = ({
  sql: database,
  clickhouse,
}: {
  readonly sql: Pick<Sql, 'query'>
  readonly clickhouse: Pick<ClickHouse, 'query' | 'command' | 'streamTexts'>
}): readonly PersonStore[] => [
  personTable(clickhouse, {
    ...{ name: 'events', table: 'events', owned: isTheirs },
    texts: ['current_url', 'pathname', 'elements_chain', 'properties'],
  }),
  personTable(clickhouse, { name: 'days of visits', table: 'visitor_days', owned: isTheirs }),
  personTable(clickhouse, { name: 'visits of groups', table: 'group_visits', owned: isTheirs }),
  heatMaps(clickhouse),
  personTable(clickhouse, { name: 'web vitals', table: 'web_vitals', owned: isTheirs, texts: ['path'] }),
  // Their ids go with them.
  personRows(database, {
    name: 'people',
    table: ['clew_analytics', 'persons'],
    owned: (subject) => sql`(
      id = ${typed(subject.personId, 'uuid')}
      or auth_user_id = ${typed(subject.userId, 'uuid')}
      or id in (select person_id from clew_analytics.distinct_ids where ${isOneOf(subject)})
    )`,
    texts: { properties: 'jsonb' },
  }),
  personRows(database, {
    ...{ name: 'imported people', table: ['clew_analytics', 'imported_persons'], owned: isOneOf },
  }),
  personRows(database, { name: 'groups', table: ['clew_analytics', 'groups'], texts: { properties: 'jsonb' } }),
  personRows(database, {
    name: 'decisions on consent',
    table: ['clew_analytics', 'consents'],
    owned: (subject) => (subject.refuses ? sql`false` : isOneOf(subject)),
  }),
]
