import { expect, test } from 'vitest'
import { createUploads, type Upload } from './uploads.ts'

const fileOf = (key: string) => ({ key, file: new File(['1234'], key) })

/** Uploads whose sending is ended by hand. */
function open() {
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void; progress: (n: number) => void }>()
  let stored = 0
  const uploads = createUploads(
    ({ key }: Upload, signal, progress) =>
      new Promise<void>((resolve, reject) => {
        ends.set(key, { resolve, reject, progress })
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      }),
    () => {
      stored += 1
    },
  )
  const states = () => uploads.list().map(({ state }) => state)
  return { uploads, ends, states, stored: () => stored }
}

test('three files are sent at once, the next one when one has ended', async () => {
  const { uploads, ends, states, stored } = open()
  uploads.add(['a', 'b', 'c', 'd'].map(fileOf))
  expect(states()).toEqual(['sending', 'sending', 'sending', 'waiting'])
  ends.get('a')?.progress(2)
  expect(uploads.list()[0]?.sentBytes).toBe(2)
  ends.get('a')?.resolve()
  await expect.poll(states).toEqual(['stored', 'sending', 'sending', 'sending'])
  expect(stored()).toBe(1)
  uploads.clear()
  expect(uploads.list().map(({ key }) => key)).toEqual(['b', 'c', 'd'])
})

test('one that failed says why and is sent again; one is canceled, whether it is sent or waits', async () => {
  const { uploads, ends, states } = open()
  uploads.add(['a', 'b', 'c', 'd'].map(fileOf))
  ends.get('a')?.reject(new Error('It is too large.'))
  uploads.cancel(2)
  await expect.poll(states).toEqual(['failed', 'canceled', 'sending', 'sending'])
  expect(uploads.list()[0]?.problem).toBe('It is too large.')
  uploads.retry(1)
  expect(states()[0]).toBe('sending')
})
