import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Certificate, certificateKeyOf, checkCertificate } from '../../src/ground/privacy/certificate.ts'
import { compiled } from '../compiled.ts'

/** Where the process is killed, in this order: after the rows of a store went, before that is recorded. */
const kills = ['account', 'events', 'history of rows']

/** The store that has just been erased, or how the erasure ended. */
type Told =
  | { readonly store: string }
  | {
      readonly certificate: Certificate
      readonly subject: unknown
      readonly done: readonly { readonly pass: number; readonly store: string }[]
    }

const live = (folder: string): ChildProcess =>
  fork(compiled('test/crash/erasure-process'), [folder], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })

/** What a process says next; fails where it ends instead. */
async function heard(child: ChildProcess): Promise<Told> {
  const over = new AbortController()
  const { signal } = over
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as Told),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`The process ended with ${code}.`)
      }),
    ])
  } finally {
    over.abort()
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

test('an erasure whose process is killed is taken up by the next, again and again, to one end', {
  timeout: 180_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-crash-'))
  const left = [...kills]
  let child = live(folder)
  try {
    let told = await heard(child)
    for (; 'store' in told; told = await heard(child)) {
      if (told.store === left[0]) {
        left.shift()
        await kill(child)
        child = live(folder)
      } else child.send('on')
    }
    expect(left).toEqual([])
    expect(told.subject).toBeNull()
    const steps = told.done.map(({ pass, store }) => `${pass} ${store}`)
    expect(new Set(steps).size).toBe(steps.length)
    expect(checkCertificate(told.certificate, [certificateKeyOf('a pepper').publicKey])).toMatchObject({ kind: 'good' })
    expect(told.certificate.certificate.search).toMatchObject({ found: [], notSearched: [] })
  } finally {
    await kill(child)
    // The engine's process notices a moment later that its parent is gone, and may write until then.
    await rm(folder, { recursive: true, force: true, maxRetries: 100, retryDelay: 100 })
  }
})
