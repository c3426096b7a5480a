import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = `
  import { existsSync, readdirSync, readFileSync } from 'node:fs'
  import { readFile } from 'node:fs/promises'
  import { getPriority } from 'node:os'
  import { lowerPriority } from '${new URL('./priority.ts', import.meta.url)}'
  // The threads that read files begin with the first read.
  await readFile('/proc/self/stat')
  lowerPriority()
  const threads = readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)))
  const session = existsSync('/proc/self/autogroup') ? readFileSync('/proc/self/autogroup', 'utf8') : ''
  console.log(JSON.stringify({ threads, session }))`
const args = ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', program]

interface Printed {
  readonly threads: readonly number[]
  /** As `/autogroup-7 nice 0`. */
  readonly session: string
}

test.runIf(process.platform === 'linux')('all threads of a backup come after those of requests', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const { threads }: Printed = JSON.parse(stdout)
  expect(threads.length).toBeGreaterThan(4)
  expect(new Set(threads)).toEqual(new Set([10]))
})

test.runIf(existsSync('/proc/self/autogroup'))(
  'a session of its own comes after those of requests; one that it shares with others stays',
  async () => {
    const printed = async (detached: boolean): Promise<Printed> => {
      const child = spawn(process.execPath, args, { detached, stdio: ['ignore', 'pipe', 'inherit'] })
      return JSON.parse(await text(child.stdout))
    }
    expect((await printed(true)).session).toMatch(/ nice 10\n$/)
    expect((await printed(false)).session).toBe(readFileSync('/proc/self/autogroup', 'utf8'))
  },
)
