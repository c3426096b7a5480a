import { cp, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { bundleServer } from '../../scripts/bundle-server.js'

const server = new URL('../', import.meta.url)
const output = new URL('./dist/', import.meta.url)
const source = new URL('./src/', server)

/** Modules that tests begin a process with, beside those of the product. */
const further = [
  'test/crash/ingest-process',
  'test/crash/erasure-process',
  'test/crash/otlp-process',
  'test/crash/roll-back-process',
  'src/engines/postgres/index',
  'src/engines/clickhouse/index',
  'src/engines/log/index',
]

/** The compiled file of a source file of `server/`: `src/cli/main.ts` is `compiled('src/cli/main')`. */
export const compiled = (path: string): URL => new URL(`${path}.js`, output)

/**
 * Compiles the server once for a run of tests, for those that start it as a process of its own: it begins in a fraction of
 * the time that it takes to translate its files at every start. Types are checked by `npm run check`.
 */
export async function compileServer(): Promise<void> {
  await rm(output, { recursive: true, force: true })
  await bundleServer({
    source: fileURLToPath(source),
    base: fileURLToPath(server),
    output: fileURLToPath(output),
    // As the package's own `imports` name it.
    addresses: 'dist/module-addresses.js',
    further: further.map((path) => fileURLToPath(new URL(`${path}.ts`, server))),
  })
  await cp(new URL('package.json', server), new URL('package.json', output))
  await cp(source, new URL('src/', output), {
    recursive: true,
    filter: (path) => !/\.tsx?$|\.md$/.test(path),
  })
}
