import Type from 'typebox'
import { type Declared, setting, type Values } from '../../ground/settings/setting.ts'

/** The settings of the console's SQL editor. */
export const sqlEditorSettings = {
  statementSeconds: setting(Type.Integer({ minimum: 1, maximum: 3_600 }), {
    limit: true,
    default: 60,
    description: 'How long a statement of the SQL editor may run.',
  }),
  maxRows: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
    limit: true,
    default: 1_000,
    description:
      'Rows of a result that the SQL editor shows; the rest is left in the database, and the result says so.',
  }),
  maxResultMib: setting(Type.Integer({ minimum: 1, maximum: 64 }), {
    limit: true,
    default: 8,
    description: 'Size of a result that the SQL editor shows.',
  }),
  holdSeconds: setting(Type.Integer({ minimum: 5, maximum: 3_600 }), {
    limit: true,
    default: 120,
    description: 'How long a change of the SQL editor waits to be committed; then it is rolled back.',
  }),
  maxRuns: setting(Type.Integer({ minimum: 1, maximum: 50 }), {
    limit: true,
    default: 4,
    description:
      'Runs of the SQL editor at a time, those that wait to be committed among them, each on a connection of its own.',
  }),
  clickhouseMemoryMib: setting(Type.Integer({ minimum: 16, maximum: 65_536 }), {
    limit: true,
    default: 256,
    description: 'Memory that a statement of the SQL editor may take in ClickHouse.',
  }),
  historyRuns: setting(Type.Integer({ minimum: 0, maximum: 10_000 }), {
    limit: true,
    default: 200,
    description: 'Runs of each operator that the SQL editor remembers.',
  }),
  maxQueries: setting(Type.Integer({ minimum: 1, maximum: 10_000 }), {
    limit: true,
    default: 500,
    description: 'Saved queries of a project.',
  }),
} as const satisfies Declared

/** The values of `sqlEditorSettings`. */
export type SqlEditorSettings = Values<typeof sqlEditorSettings>
