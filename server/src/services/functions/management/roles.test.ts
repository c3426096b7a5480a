import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FunctionsApp, openFunctions } from '../../../../test/functions-app.ts'
import { deployment, entryOf, openFunctionsConsole } from '../../../../test/functions-console.ts'
import { openTestDatabase, type TestDatabase } from '../../../../test/harness.ts'
import { functionsTables } from '../index.ts'

const source = `Deno.serve(() => new Response('one'))`

let db: TestDatabase
let app: FunctionsApp
beforeAll(async () => {
  db = await openTestDatabase()
  await db.migrate('functions', functionsTables.postgres)
  app = await openFunctions({}, { sql: db.admin })
  const owner = await openFunctionsConsole(app)
  await owner.deploy('kept', source)
  await owner.close()
})
afterAll(async () => {
  await app.close()
  await db.close()
})

const analyst = ['analyst', 'developer']
const developer = ['developer']
const upload = () => deployment({ [entryOf('kept')]: source }, { entrypoint_path: entryOf('kept') })
const routes: readonly (readonly [string, string, readonly string[], (() => object)?])[] = [
  ['GET', '/functions', analyst],
  ['GET', '/functions/kept', analyst],
  ['GET', '/functions/kept/versions', analyst],
  ['GET', '/functions/kept/processes', analyst],
  ['GET', '/functions/kept/files', developer],
  ['GET', `/functions/kept/file?path=${entryOf('kept')}`, developer],
  ['GET', '/function-secrets', developer],
  ['POST', '/function-secrets', developer, () => [{ name: 'TOKEN', value: 'x' }]],
  ['DELETE', '/function-secrets', developer, () => ['TOKEN']],
  ['POST', '/functions/kept/versions', developer, upload],
  ['POST', '/functions/kept/rollback', developer, () => ({ version: 1 })],
  ['DELETE', '/functions/kept', developer],
]
test.for(routes)('functions §8 %s %s is for: %j', async ([method, path, allowed, body]) => {
  for (const role of ['viewer', 'analyst', 'developer'] as const) {
    const { send, close } = await openFunctionsConsole(app, app.consoleAs(role))
    const { status } = await send(method, path, body?.())
    await close()
    const may = allowed.includes(role)
    expect({ role, isDone: status < 300, isRefused: status === 403 }).toEqual({ role, isDone: may, isRefused: !may })
  }
})
