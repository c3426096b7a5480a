import { execFile } from 'node:child_process'
import { cp, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const here = new URL('./', import.meta.url)
const output = new URL('./dist/', here)
const source = new URL('../src/', here)

/** The compiled file of a source file of `server/`: `src/cli/main.ts` is `compiled('src/cli/main')`. */
export const compiled = (path: string): URL => new URL(`${path}.js`, output)

/**
 * Compiles the server once for a run of tests, for those that start it as a process of its own: it begins in a third of
 * the time that it takes to translate the same files at every start. Types are checked by `npm run check`.
 */
export async function compileServer(): Promise<void> {
  await rm(output, { recursive: true, force: true })
  const project = fileURLToPath(new URL('./tsconfig.json', here))
  await promisify(execFile)('npx', ['--no-install', 'tsc', '-p', project, '--noCheck'])
  await cp(new URL('../package.json', here), new URL('./package.json', output))
  await cp(source, new URL('./src/', output), {
    recursive: true,
    filter: (path) => !/\.tsx?$|\.md$/.test(path),
  })
}
