import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = `
  import { readdirSync } from 'node:fs'
  import { readFile } from 'node:fs/promises'
  import { getPriority } from 'node:os'
  import { lowerPriority } from '${new URL('./priority.ts', import.meta.url)}'
  // The threads that read files begin with the first read.
  await readFile('/proc/self/stat')
  lowerPriority()
  console.log(JSON.stringify(readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)))))`

test.runIf(process.platform === 'linux')('all threads of a backup come after those of requests', async () => {
  const args = ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const priorities: readonly number[] = JSON.parse(stdout)
  expect(priorities.length).toBeGreaterThan(4)
  expect(new Set(priorities)).toEqual(new Set([10]))
})
