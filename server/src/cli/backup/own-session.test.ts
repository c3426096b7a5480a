import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'

const autogroup = '/proc/sys/kernel/sched_autogroup_enabled'
const isShared = existsSync(autogroup) && readFileSync(autogroup, 'utf8').trim() === '1'

/** A command of the command line whose work is `body`, which finds `session` and `pid`. */
function start(body: string) {
  const program = `
    import { readFileSync } from 'node:fs'
    import { runInOwnSession } from '${new URL('./own-session.ts', import.meta.url)}'
    import { lowerPriority } from '${new URL('./priority.ts', import.meta.url)}'
    const code = await runInOwnSession()
    if (code !== null) process.exit(code)
    lowerPriority()
    const { pid } = process
    const session = readFileSync('/proc/self/autogroup', 'utf8')
    ${body}`
  const args = ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', program]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

const waits = `setInterval(() => undefined, 1000)`

/** What the command prints first. */
async function firstLine({ stdout }: ReturnType<typeof start>): Promise<string> {
  for await (const line of createInterface({ input: stdout })) return line
  throw new Error('It printed nothing.')
}

/** Resolves when every process that writes to its output has ended. */
const ended = (child: ChildProcess): Promise<unknown[]> => once(child, 'close')

describe.runIf(isShared)('a command in a session of its own', () => {
  test('comes after the sessions of requests, and has the output and the exit code of the one that was called', async () => {
    const child = start(`console.log(JSON.stringify({ session, pid })); process.exit(7)`)
    const end = ended(child)
    const { session, pid } = JSON.parse(await firstLine(child))
    expect(session).toMatch(/ nice 10\n$/)
    expect(session).not.toBe(readFileSync('/proc/self/autogroup', 'utf8'))
    expect(pid).not.toBe(child.pid)
    expect(await end).toEqual([7, null])
  })

  test('gets the signals, and its end by one is told as such', async () => {
    const asked = start(`process.once('SIGTERM', () => process.exit(3)); console.log('ready'); ${waits}`)
    const killed = start(`console.log('ready'); ${waits}`)
    const ends = [ended(asked), ended(killed)]
    for (const child of [asked, killed]) {
      await firstLine(child)
      child.kill('SIGTERM')
    }
    expect(await Promise.all(ends)).toEqual([
      [3, null],
      [null, 'SIGTERM'],
    ])
  })

  test('ends when the one that was called is killed', async () => {
    const child = start(`console.log('ready'); ${waits}`)
    const end = ended(child)
    await firstLine(child)
    child.kill('SIGKILL')
    expect(await end).toEqual([null, 'SIGKILL'])
  })
})
