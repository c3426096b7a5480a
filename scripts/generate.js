// `npm run generate`: files made from the running product and from the declarations in its sources.
// With --check nothing is written; a difference is an error.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { tsImport } from 'tsx/esm/api'
import { eventScanModule } from './event-scan.js'
import { prepare, root } from './prepare.js'

await prepare({ example: false })
const checking = process.argv.includes('--check')
const folder = mkdtempSync(join(tmpdir(), 'clew-generate-'))
let differs = false

const put = (path, text) => {
  let before = ''
  try {
    before = readFileSync(path, 'utf8')
  } catch {}
  if (before === text) return
  if (checking) {
    differs = true
    process.stderr.write(`${relative(root, path)} is not what the sources make: run npm run generate.\n`)
    return
  }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  process.stderr.write(`  wrote ${relative(root, path)}\n`)
}

try {
  const document = await readOpenApi()
  put(join(root, 'docs/reference/console-api.json'), `${JSON.stringify(document, null, 2)}\n`)
  const file = join(folder, 'console-api.json')
  writeFileSync(file, JSON.stringify(document))
  const made = spawnSync('npx', ['--no-install', 'openapi-typescript', file], {
    cwd: join(root, 'console'),
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(`openapi-typescript failed:\n${made.stderr}`)
  put(join(root, 'console/src/lib/api/api.gen.ts'), made.stdout)
  put(join(root, 'console/src/screens/session/file/shapes.gen.ts'), shapesModule(document))

  const { errorsReference } = await import('../server/dist/cli/reference.js')
  const { settingsReference } = await import('../server/dist/cli/settings-reference.js')
  put(join(root, 'docs/reference/errors.md'), errorsReference())
  put(join(root, 'docs/reference/settings.md'), settingsReference())
  const { settingsTypes, settingsSchema } = await import('../server/dist/cli/package-reference.js')
  put(join(root, 'server/src/package/settings.gen.ts'), settingsTypes())
  put(join(root, 'server/src/services/analytics/capture/event-scan.gen.ts'), await eventScanModule())
  put(join(root, 'server/src/package/clew.schema.json'), `${JSON.stringify(settingsSchema(), null, 2)}\n`)
  const { commandReference } = await import('../server/dist/cli/command-reference.js')
  put(join(root, 'docs/reference/command-line.md'), await commandReference())

  const { compatibilityReference } = await tsImport('../server/test/cases/rest/compatibility.ts', import.meta.url)
  put(join(root, 'docs/reference/rest-compatibility.md'), compatibilityReference())
  const analytics = await tsImport('../server/test/cases/analytics/compatibility.ts', import.meta.url)
  put(join(root, 'docs/reference/analytics-compatibility.md'), analytics.analyticsCompatibilityReference())
  const { differencesReference } = await tsImport('../e2e/differences/reference.ts', import.meta.url)
  put(join(root, 'docs/reference/differences.md'), differencesReference())
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(differs ? 1 : 0)

/** Starts the built product on an empty data directory and reads its OpenAPI document. */
async function readOpenApi() {
  const data = join(folder, 'data')
  const child = spawn(
    process.execPath,
    [join(root, 'server/bin/clew.js'), 'start', '--data', data, '--port', '0', '--db-port', '0'],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  try {
    const url = await new Promise((resolve, reject) => {
      let output = ''
      child.stdout.on('data', (chunk) => {
        output += chunk
        const found = /Console\s+(http:\S+)[\s\S]*Ready in/.exec(output)
        if (found !== null) resolve(found[1])
      })
      child.on('exit', (code) => reject(new Error(`The server ended with ${code}:\n${output}`)))
    })
    const answer = await fetch(`${url}/api/openapi.json`)
    const document = await answer.json()
    delete document.servers
    return document
  } finally {
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
  }
}

/** The shape of a session's answer, and those that it names: the console checks files by them. */
function shapesModule({ paths, components: { schemas } }) {
  const answer = paths['/console/api/sessions/{id}'].get.responses['200'].content['application/json'].schema
  const named = {}
  const visit = (shape) => {
    if (typeof shape !== 'object' || shape === null) return
    const name = typeof shape.$ref === 'string' ? shape.$ref.split('/').at(-1) : null
    if (name !== null && named[name] === undefined) {
      named[name] = schemas[name]
      visit(schemas[name])
    }
    for (const value of Object.values(shape)) visit(value)
  }
  visit(answer)
  const bare = (key, value) => (key === 'description' && typeof value === 'string' ? undefined : value)
  return `export const shapes: object = ${JSON.stringify({ answer, named }, bare)}\n`
}
