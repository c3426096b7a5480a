import type { Sql } from '../src/engines/postgres/index.ts'
import { fixedRootKeys } from '../src/ground/ids/root-keys.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import { type createOperators, operatorsSettings } from '../src/services/operators/index.ts'

/** The dependencies of a team of the café, whose mails go nowhere. */
export const operatorsDeps = (sql: Sql): Parameters<typeof createOperators>[0] => ({
  passwordHashCost: 16,
  sql,
  now: () => new Date(),
  newId: () => uuidv7(),
  settings: readSettings(operatorsSettings, []).values,
  project: 'Café',
  cookieScope: { isSecure: false, hasOwnHost: false },
  consoleUrl: 'http://127.0.0.1:54323',
  roots: fixedRootKeys('a pepper of the tests'),
  mailer: { send: async () => undefined },
})
