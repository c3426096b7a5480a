import { execFile } from 'node:child_process'
import { cp, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const here = new URL('./', import.meta.url)
const output = new URL('./dist/', here)
const source = new URL('../../src/', here)

/**
 * Compiles the process that the test kills, its engines' processes with it: a life begins in a third of the time that
 * it takes to translate the same files at every start.
 */
export async function compileProcess(): Promise<URL> {
  await rm(output, { recursive: true, force: true })
  const project = fileURLToPath(new URL('./tsconfig.json', here))
  await promisify(execFile)('npx', ['--no-install', 'tsc', '-p', project])
  await cp(source, new URL('./src/', output), {
    recursive: true,
    filter: (path) => !/\.tsx?$|\.md$/.test(path),
  })
  return new URL('./test/crash/ingest-process.js', output)
}
