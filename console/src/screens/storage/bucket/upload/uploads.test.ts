import { expect, test } from 'vitest'
import type { TransferEvents } from './upload.ts'
import { createUploads } from './uploads.ts'

const fileOf = (key: string) => ({ key, file: new File(['1234'], key) })

/** Uploads whose transfers are moved by hand; `calls` is what was asked of them. */
function open() {
  const events = new Map<string, TransferEvents>()
  const calls: string[] = []
  let stored = 0
  const uploads = createUploads(
    ({ key, replaces }, on) => {
      events.set(key, on)
      calls.push(replaces ? `open ${key} to replace` : `open ${key}`)
      return {
        start: () => calls.push(`start ${key}`),
        pause: () => calls.push(`pause ${key}`),
        cancel: () => calls.push(`cancel ${key}`),
      }
    },
    () => {
      stored += 1
    },
  )
  const at = (key: string): TransferEvents => {
    const found = events.get(key)
    if (found === undefined) throw new Error(`${key} was not opened`)
    return found
  }
  return { uploads, at, calls, states: () => uploads.list().map(({ state }) => state), stored: () => stored }
}

test('four files are sent at a time, the next one when one has ended', () => {
  const { uploads, at, states, stored } = open()
  uploads.add(['a', 'b', 'c', 'd', 'e'].map(fileOf))
  expect(states()).toEqual(['sending', 'sending', 'sending', 'sending', 'waiting'])
  at('a').onProgress(2)
  expect(uploads.list()[0]?.sentBytes).toBe(2)
  at('a').onStored()
  expect(states()).toEqual(['stored', 'sending', 'sending', 'sending', 'sending'])
  expect([stored(), uploads.list()[0]?.sentBytes]).toEqual([1, 4])
  uploads.clear()
  expect(uploads.list().map(({ key }) => key)).toEqual(['b', 'c', 'd', 'e'])
})

test('a pause leaves its place to the next; what is paused goes on in its own transfer', () => {
  const { uploads, at, states, calls } = open()
  uploads.add(['a', 'b', 'c', 'd', 'e'].map(fileOf))
  at('a').onProgress(2)
  uploads.pause([1])
  at('a').onProgress(3)
  expect(states()).toEqual(['paused', 'sending', 'sending', 'sending', 'sending'])
  uploads.resume([1])
  expect(states()[0]).toBe('waiting')
  at('b').onStored()
  expect([states()[0], uploads.list()[0]?.sentBytes]).toEqual(['sending', 2])
  expect(calls.filter((call) => call.endsWith(' a'))).toEqual(['open a', 'start a', 'pause a', 'start a'])
  uploads.pause([1, 2, 3, 4, 5])
  expect(states()).toEqual(['paused', 'stored', 'paused', 'paused', 'paused'])
})

test('one that failed says why, and goes on when it is sent again; a canceled one begins anew', () => {
  const { uploads, at, states, calls } = open()
  uploads.add(['a', 'b'].map(fileOf))
  at('a').onStall('The connection was lost.')
  expect(uploads.list()[0]).toMatchObject({ state: 'sending', problem: 'The connection was lost.' })
  at('a').onFailed('It is too large.')
  uploads.cancel([2])
  expect([states(), uploads.list()[0]?.problem]).toEqual([['failed', 'canceled'], 'It is too large.'])
  uploads.retry([1, 2])
  expect(states()).toEqual(['sending', 'sending'])
  expect(calls).toEqual(['open a', 'start a', 'open b', 'start b', 'cancel b', 'start a', 'open b', 'start b'])
})

test('a key that is taken is replaced only when that is asked for', () => {
  const { uploads, at, states, calls } = open()
  uploads.add([fileOf('a')])
  at('a').onTaken()
  uploads.retry([1])
  expect(states()).toEqual(['taken'])
  uploads.replace([1])
  expect(states()).toEqual(['sending'])
  expect(calls).toEqual(['open a', 'start a', 'open a to replace', 'start a'])
})
