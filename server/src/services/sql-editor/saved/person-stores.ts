import { personRows, type Sql } from '../../../engines/postgres/index.ts'
import type { PersonStore } from '../../../ground/privacy/person.ts'
import { namedInPostgres, soughtTexts } from '../../../ground/privacy/person-texts.ts'
import { sql } from '../../../ground/sql/sql.ts'

/** Statements of operators that name a person: those that ran are forgotten, saved ones lose the name. */
export const sqlEditorPersonStores = (database: Pick<Sql, 'query'>): readonly PersonStore[] => [
  personRows(database, {
    name: 'SQL history',
    table: ['clew_sql_editor', 'runs'],
    owned: (subject) => namedInPostgres(sql`concat_ws(' ', statement, error)`, soughtTexts(subject)),
  }),
  personRows(database, {
    name: 'saved queries',
    table: ['clew_sql_editor', 'queries'],
    texts: { name: 'text', statement: 'text', created_by: 'text', updated_by: 'text' },
  }),
]
